// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace gridloom::base {

/// The file that a link names, so that it is written to and not the link; it need not be there yet.
std::filesystem::path behindLinks(std::filesystem::path path);

/// Whether writing to one writes over the other: one file under two names, through links or folders, there already or
/// not. Devices and pipes hold nothing that could be written over.
bool isSameFile(const std::string& a, const std::string& b);

}  // namespace gridloom::base
