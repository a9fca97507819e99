// SPDX-License-Identifier: Apache-2.0
#include "texts/output_check.h"

#include "base/file_identity.h"

namespace gridloom::texts {

base::Diagnostics checkOutputs(std::span<const AskedFile> outputs,
                               std::span<const AskedFile> inputs) {
  base::Diagnostics errors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    for (const AskedFile& other : outputs.subspan(i + 1)) {
      if (path == "-" && other.path == "-") {
        errors.push_back(
            base::plainError(option + " and " + other.option + " cannot both write to stdout",
                             "name a file for one of them"));
      } else if (path != "-" && other.path != "-" && base::isSameFile(path, other.path)) {
        errors.push_back(
            base::plainError(option + " and " + other.option + " would both write " + other.path,
                             "name a file of its own for each"));
      }
    }
    for (const AskedFile& input : inputs) {
      if (path == "-" || !base::isSameFile(path, input.path)) continue;
      errors.push_back(base::plainError(option + " would write over " + input.path + ", which " +
                                            input.option + " reads",
                                        "name another file"));
    }
  }
  return errors;
}

}  // namespace gridloom::texts
