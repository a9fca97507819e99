// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace gridloom::base {

/// The bytes of a regular file of at most so many mebibytes. Errors: it is none, or cannot be read.
Result<std::string> loadBytes(const std::string& path, std::int64_t mebibytes);

/// The text of a regular file: UTF-8 (RFC 3629) without NUL, not blank, at most so many mebibytes.
/// Errors: none of these, or the file cannot be read; the first byte that is no text is located.
Result<SourceRef> loadTextFile(const std::string& path, std::int64_t mebibytes = 16);

}  // namespace gridloom::base
