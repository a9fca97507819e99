// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/diagnostic.h"

namespace gridloom::service {

/// A file as it was asked for: by which option, and where it is. `-` is stdout.
struct AskedFile {
  std::string option;
  std::string path;
};

/// Errors where an output would write over an input or over another output. To ask before any work.
base::Diagnostics checkOutputs(std::span<const AskedFile> outputs,
                               std::span<const AskedFile> inputs);

/// The files behind names of presets; a path stays what it is.
std::string hardwareFile(const std::string& nameOrPath);
std::string kernelFile(const std::string& nameOrPath);
std::string directivesFile(const std::string& nameOrPath);
std::string nestFile(const std::string& nameOrPath);

}  // namespace gridloom::service
