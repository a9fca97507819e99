// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace gridloom::fuzz {

/// A part of the text that still fails: first whole lines are left out, then bytes (delta
/// debugging, Zeller and Hildebrandt 2002). Asks `fails` at most `tries` times.
std::string minimised(std::string text, const std::function<bool(const std::string&)>& fails,
                      int tries);

}  // namespace gridloom::fuzz
