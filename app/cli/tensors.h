// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "options.h"
#include "service/tensor_files.h"
#include "terminal.h"

namespace gridloom::cli {

/// What --in and --out ask for.
struct TensorRequest {
  kernel::TensorValues inputs;  ///< of --in, samples for the others
  std::vector<service::TensorFile> outputs;
};

/// Errors of both options.
base::Result<TensorRequest> openTensors(const Options& options, const service::Kernel& kernel);

/// Writes the outputs of --out, each completely or not at all.
Exit writeTensors(const service::Kernel& kernel, const kernel::TensorValues& outputs,
                  const std::vector<service::TensorFile>& files);

}  // namespace gridloom::cli
