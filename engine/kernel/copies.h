// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A name that no tensor, loop or parameter has: `wanted`, or `wanted2`, `wanted3` and so on.
std::string freeName(const Kernel& kernel, std::string_view wanted);

/// A tensor like `like`, with its name and the suffix, or a free one: what a form of the kernel
/// computes in its stead.
Tensor tensorLike(const Kernel& kernel, const Tensor& like, std::string_view suffix);

/// The name of a tensor in the kernel as written.
const std::string& writtenName(const Tensor& tensor);

/// `to` = the elements of `value` that the statement, or one like it, defines.
Statement copyOf(const Statement& writer, Access to, TensorId value);

/// Takes out locals that only repeat another local, element by element: it is read in their stead.
void dropLocalCopies(Kernel& kernel);

}  // namespace gridloom::kernel
