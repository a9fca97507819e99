// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "mapping/mapping.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// What is known of a kernel: with or without a machine, with or without a mapping.
struct KernelFacts {
  const service::Kernel& kernel;
  const service::Hardware* hardware = nullptr;
  QString mode;
  const service::Exploration* exploration = nullptr;  ///< that of the mapping
  std::optional<mapping::Mapping> mapping = {};
};

/// Its loops as a table, with what the mapping makes of each, and below its work, the bytes that it
/// must move, and its bounds on the machine. As rich text.
QString factsHtml(const KernelFacts& facts);

}  // namespace gridloom::widgets
