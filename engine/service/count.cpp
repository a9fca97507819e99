// SPDX-License-Identifier: Apache-2.0
#include "service/count.h"

#include <algorithm>

#include "exchange/access_json.h"
#include "exchange/csv.h"
#include "report/access_table.h"
#include "syntax/nest_parser.h"

namespace gridloom::service {

namespace {

report::AccessRecord recordOf(const NestCount& count) {
  report::AccessRecord record;
  record.hardware = count.hardware->spec.name;
  record.kernel = count.kernel->kernel.name;
  for (const kernel::Loop& loop : count.kernel->kernel.loops) {
    record.loops.push_back({loop.name, loop.extent});
  }
  for (const kernel::TensorId tensor : count.counts.tensors) {
    record.tensors.push_back(count.kernel->kernel.tensor(tensor).name);
  }
  record.counts = count.counts;
  return record;
}

/// Tensors start and end in global memory, so a nest without it would omit those accesses.
base::Diagnostics checkOutermost(const access::MemoryNest& nest,
                                 const access::NestDirectives& directives,
                                 const hardware::Topology& hw) {
  if (!hw.hasGlobal() || directives.list.empty()) return {};
  const std::string& global = hw.global().name;
  if (nest.levels.front().memory == global) return {};
  const bool inside =
      std::ranges::find(nest.levels, global, &access::NestLevel::memory) != nest.levels.end();
  return {base::errorAt(directives.source, directives.list.front().span,
                        inside ? "the global memory `" + global + "` is the outermost one"
                               : "the nest leaves out the global memory `" + global +
                                     "`, where tensors come from and go to",
                        "begin with `level(" + global + ")`")};
}

}  // namespace

base::Result<NestCount> countNest(HardwareRef hardware, KernelRef kernel, base::SourceRef nestText,
                                  access::Sweep sweep) {
  auto directives = syntax::parseNest(std::move(nestText));
  if (!directives) return directives.takeDiagnostics();
  auto nest = access::resolve(*directives, kernel->kernel, hardware->spec);
  if (!nest) return nest.takeDiagnostics();
  if (auto errors = checkOutermost(*nest, *directives, hardware->topology); !errors.empty()) {
    return errors;
  }
  auto counts = access::countAccesses(kernel->kernel, *nest, sweep);
  if (!counts) return counts.takeDiagnostics();
  return NestCount{std::move(hardware), std::move(kernel), *std::move(nest), *std::move(counts)};
}

std::string textOf(const NestCount& count) { return report::accessText(recordOf(count)); }
std::string csvOf(const NestCount& count) {
  return exchange::csvText(report::accessTable(recordOf(count)));
}
std::string jsonOf(const NestCount& count) { return exchange::accessJson(recordOf(count)); }

}  // namespace gridloom::service
