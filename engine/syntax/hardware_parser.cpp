// SPDX-License-Identifier: Apache-2.0
#include "syntax/hardware_parser.h"

#include <algorithm>
#include <utility>

#include "base/message_limit.h"
#include "hardware/assumptions.h"
#include "syntax/hardware_comments.h"
#include "syntax/hardware_parser_builder.h"
#include "syntax/hardware_parser_forms.h"
#include "syntax/hardware_parser_ops.h"

namespace gridloom::syntax {

namespace {

/// What stands in a function is not hardware, so what the lexer found there does not count.
void dropSkipped(const HardwareOps& ops, const base::SourceRef& source,
                 base::Diagnostics& remarks) {
  if (ops.skipped.empty()) return;
  std::erase_if(remarks, [&](const base::Diagnostic& finding) {
    return std::any_of(ops.skipped.begin(), ops.skipped.end(), [&](base::Span span) {
      return finding.span.begin >= span.begin && finding.span.end <= span.end;
    });
  });
  base::report(remarks, base::noteAt(source, ops.skipped.front(),
                                     "functions and modules beside the components are left out",
                                     "give the file as the kernel, too: `-K` reads them"));
}

}  // namespace

base::Result<hardware::HardwareSpec> parseHardware(base::SourceRef source, std::string name) {
  TokenText text = lex(source);
  base::Diagnostics remarks = std::move(text.errors);
  HardwareOps ops = readHardwareOps(text, remarks);
  dropSkipped(ops, source, remarks);
  for (base::Diagnostic& mistake : ops.leftOut) base::report(remarks, std::move(mistake));
  acceptOtherForms(ops, source, remarks);
  if (ops.ops.empty() && !base::hasError(remarks)) {
    remarks.push_back(base::errorAt(source, {}, "the description is empty",
                                    "begin with `%x = df.spatial_dim 8`"));
  }
  HardwareSpecBuilder builder(ops, source, remarks);
  hardware::HardwareSpec spec = builder.build();
  // Comments first: completing adds components between those of the text.
  if (!base::hasError(remarks)) {
    attachComments(text, builder.spans(), spec);
    hardware::completeSpec(spec, remarks, ops.inModule);
  }
  std::stable_sort(remarks.begin(), remarks.end(),
                   [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
  if (base::hasError(remarks)) return remarks;
  spec.name = std::move(name);
  return {std::move(spec), std::move(remarks)};
}

}  // namespace gridloom::syntax
