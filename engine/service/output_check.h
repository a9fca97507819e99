// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/diagnostic.h"

namespace gridloom::service {

/// A file as requested: by which option, and its path. `-` is stdout.
struct AskedFile {
  std::string option;
  std::string path;
};

/// Errors where an output would overwrite an input or another output. Call it before any work.
base::Diagnostics checkOutputs(std::span<const AskedFile> outputs,
                               std::span<const AskedFile> inputs);

/// The path of a preset's file; a path is returned unchanged.
std::string hardwareFile(const std::string& nameOrPath);
std::string kernelFile(const std::string& nameOrPath);
std::string directivesFile(const std::string& nameOrPath);
std::string nestFile(const std::string& nameOrPath);
std::string studyFile(const std::string& nameOrPath);

}  // namespace gridloom::service
