// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace gridloom::test {

/// The text of a small kernel of several statements, the same for one seed: reductions in
/// reductions, of constants among them, empty domains, choices, gathers, locals that nothing reads,
/// and state. Most are well-formed; `check` refuses the others.
std::string randomKernel(std::uint64_t seed);

}  // namespace gridloom::test
