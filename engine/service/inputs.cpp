// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "kernel/definedness.h"
#include "kernel/dtype.h"
#include "service/apart.h"
#include "service/workspace.h"
#include "syntax/directive_parser.h"
#include "syntax/hardware_parser.h"
#include "syntax/kernel_parser.h"
#include "syntax/spelling.h"

namespace gridloom::service {

namespace {

void append(base::Diagnostics& out, base::Diagnostics more) {
  std::move(more.begin(), more.end(), std::back_inserter(out));
}

base::Diagnostic unknownDType(const std::string& name) {
  return base::plainError("unknown dtype `" + name + "`", syntax::dtypeHint(name));
}

base::Diagnostic unknownKernel(const kernel::KernelGraph& graph, const std::string& name,
                               const base::SourceRef& source) {
  std::vector<std::string> names;
  for (const kernel::Kernel& kernel : graph.kernels) {
    names.push_back(kernel.name);
    for (std::string& piece : pieceNames(kernel)) names.push_back(std::move(piece));
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return base::plainError(source->name() + " has no kernel `" + name + "`",
                          syntax::spellingHint(name, known));
}

/// The part of one of the kernels that has this name.
base::Result<KernelRef> partNamed(const kernel::KernelGraph& graph, const std::string& name,
                                  const base::SourceRef& source) {
  for (const kernel::Kernel& kernel : graph.kernels) {
    if (auto part = openPart(kernel, name)) return *std::move(part);
  }
  return unknownKernel(graph, name, source);
}

/// The kernel of that name, the first one for an empty name; nullptr: none of that name.
base::Result<const kernel::Kernel*> chosenKernel(const kernel::KernelGraph& graph,
                                                 const std::string& name,
                                                 const base::SourceRef& source) {
  if (graph.kernels.empty()) {
    return base::errorAt(source, {}, "expected a kernel, the file defines none",
                         "write `kernel name(N = 1024) { ... }`");
  }
  if (name.empty()) return &graph.kernels.front();
  const auto found = std::ranges::find(graph.kernels, name, &kernel::Kernel::name);
  return found == graph.kernels.end() ? nullptr : &*found;
}

/// Notes which kernel of a graph is explored, as each one is explored alone.
void noteOthers(const kernel::KernelGraph& graph, const std::string& asked,
                base::Diagnostics& remarks) {
  if (!asked.empty() || graph.kernels.size() < 2) return;
  std::string names;
  for (const kernel::Kernel& kernel : graph.kernels) {
    names += (names.empty() ? "`" : ", `") + kernel.name + "`";
  }
  remarks.push_back({base::Severity::Note,
                     "this is the first of the file's kernels " + names,
                     nullptr,
                     {},
                     "name another one (`--entry`)"});
}

}  // namespace

base::Result<HardwareRef> openHardware(base::SourceRef text, const Hardware* like) {
  const std::string name = std::filesystem::path(text->name()).stem().string();
  base::Result<hardware::HardwareSpec> spec = syntax::parseHardware(text, name);
  if (!spec) return spec.takeDiagnostics();
  base::Diagnostics remarks = spec.takeDiagnostics();
  base::Result<hardware::Topology> topology =
      hardware::makeTopology(*spec, like ? &like->topology : nullptr);
  if (!topology) return topology.takeDiagnostics();
  append(remarks, topology.takeDiagnostics());
  return std::make_shared<const Hardware>(
      Hardware{std::move(text), *std::move(spec), *std::move(topology), std::move(remarks)});
}

base::Result<KernelRef> openKernel(base::SourceRef text, const KernelOptions& options) {
  if (isMlir(*text)) {
    auto imported = importMlir(text, options.set);
    if (!imported) return imported.takeDiagnostics();
    return openKernel(*std::move(imported), {{}, options.dtype, options.name});
  }
  std::optional<kernel::DType> dtype;
  if (!options.dtype.empty()) {
    dtype = kernel::dtypeNamed(options.dtype);
    if (!dtype) return unknownDType(options.dtype);
  }
  std::vector<syntax::ParameterOverride> overrides;
  for (const auto& [name, value] : options.set) overrides.push_back({name, value});
  base::Result<kernel::KernelGraph> graph = syntax::parseKernels(text, overrides, dtype);
  if (!graph) return graph.takeDiagnostics();
  base::Diagnostics remarks = graph.takeDiagnostics();
  base::Result<const kernel::Kernel*> chosen = chosenKernel(*graph, options.name, text);
  if (!chosen) return chosen.takeDiagnostics();
  if (*chosen == nullptr) return partNamed(*graph, options.name, text);
  noteOthers(*graph, options.name, remarks);

  append(remarks, kernel::undefinedOutputs(**chosen));

  Kernel out{std::move(text), **chosen, options.dtype, std::nullopt, {}, std::move(remarks)};
  base::Result<kernel::TileNest> nest = kernel::tileNest(out.kernel);
  if (nest) {
    append(out.remarks, nest.takeDiagnostics());
    out.nest = *std::move(nest);
  } else {
    out.notMapped = nest.takeDiagnostics();
  }
  return std::make_shared<const Kernel>(std::move(out));
}

KernelRef fitted(KernelRef kernel, const Hardware& hardware) {
  const hardware::GlobalMemory& global = hardware.topology.global();
  const auto isOpen = [&](const kernel::Operand& input) {
    return input.gather && input.gather->requestBytes != global.randomAccess;
  };
  if (!kernel->nest || std::ranges::none_of(kernel->nest->inputs, isOpen)) return kernel;
  Kernel out = *kernel;
  for (kernel::Operand& input : out.nest->inputs) {
    if (input.gather) input.gather->requestBytes = global.randomAccess;
  }
  out.remarks.push_back(
      {base::Severity::Note,
       fmt::format("rows read through indices are requests of {} bytes each, or multiples of it{}",
                   global.randomAccess, global.randomAccessIsAssumed ? " (assumed)" : ""),
       nullptr,
       {},
       fmt::format("`random_access` of the memory `%{}` sets it", global.name)});
  return std::make_shared<const Kernel>(std::move(out));
}

base::Result<mapping::Constraints> openDirectives(base::SourceRef text, const Kernel& kernel,
                                                  const Hardware& hardware) {
  if (!kernel.nest) return kernel.notMapped;
  base::Result<mapping::Directives> directives = syntax::parseDirectives(std::move(text));
  if (!directives) return directives.takeDiagnostics();
  return mapping::resolve(*directives, kernel.kernel, *kernel.nest, hardware.topology);
}

}  // namespace gridloom::service
