// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser.h"

#include <algorithm>
#include <utility>

#include "syntax/hardware_comments.h"
#include "syntax/hardware_parser_builder.h"
#include "syntax/hardware_parser_ops.h"

namespace gridloom::syntax {

base::Result<hardware::HardwareSpec> parseHardware(base::SourceRef source, std::string name) {
  TokenText text = lex(source);
  base::Diagnostics remarks = std::move(text.errors);
  const HardwareOps ops = readHardwareOps(text, remarks);
  if (ops.ops.empty() && !base::hasError(remarks)) {
    remarks.push_back(base::errorAt(source, {}, "the description is empty",
                                    "begin with `%x = df.spatial_dim 8`"));
  }
  HardwareSpecBuilder builder(ops, source, remarks);
  hardware::HardwareSpec spec = builder.build();
  std::stable_sort(remarks.begin(), remarks.end(),
                   [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
  if (base::hasError(remarks)) return remarks;
  spec.name = std::move(name);
  attachComments(text, builder.spans(), spec);
  return {std::move(spec), std::move(remarks)};
}

}  // namespace gridloom::syntax
