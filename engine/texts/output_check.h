// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/diagnostic.h"

namespace gridloom::texts {

/// A file as requested: by which option, and its path. `-` is stdout.
struct AskedFile {
  std::string option;
  std::string path;
};

/// Errors where an output would overwrite an input or another output. Call it before any work.
base::Diagnostics checkOutputs(std::span<const AskedFile> outputs,
                               std::span<const AskedFile> inputs);

}  // namespace gridloom::texts
