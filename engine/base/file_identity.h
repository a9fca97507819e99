// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace gridloom::base {

/// The file that a link refers to, so that it is written and not the link. It may not exist yet.
std::filesystem::path behindLinks(std::filesystem::path path);

/// Whether writing to one file overwrites the other: the same file under two names, through links
/// or folders, existing or not. False for devices and pipes, which hold no data.
bool isSameFile(const std::string& a, const std::string& b);

}  // namespace gridloom::base
