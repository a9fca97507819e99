// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// `A=a.npy`: a tensor and the file of its values.
using TensorFile = std::pair<std::string, std::string>;

/// The files that `texts` name for inputs of the kernel (`outputs`: for its outputs). Errors: no
/// `=`, no such tensor, one named twice; `option` stands before them.
base::Result<std::vector<TensorFile>> tensorFilesOf(const Kernel& kernel,
                                                    std::span<const std::string> texts,
                                                    bool outputs, const std::string& option);

/// Values of the inputs: those in files, and samples for the others. Checks shapes and the number
/// of elements before it reads values.
base::Result<kernel::TensorValues> inputsFrom(const Kernel& kernel,
                                              std::span<const TensorFile> files);

/// The outputs of a kernel by its meaning alone: without hardware, mapping and tiles. Needs no
/// mapping of the kernel to exist.
base::Result<kernel::TensorValues> interpretKernel(const Kernel& kernel,
                                                   const kernel::TensorValues& inputs);

/// The bytes of a NumPy file with the values of an output.
std::string npyOf(const Kernel& kernel, const kernel::TensorValues& outputs,
                  const std::string& tensor);

}  // namespace gridloom::service
