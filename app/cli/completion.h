// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gridloom::cli {

/// Completion scripts and the manual page, made from the option table and the presets. They
/// complete verbs, options, the values an option can have, names of presets and parameters of
/// kernels, and files.
std::string bashCompletion();
std::string zshCompletion();
/// A page for man(1), section 1.
std::string manualPage();

}  // namespace gridloom::cli
