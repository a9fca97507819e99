// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "base/progress.h"
#include "inputs.h"
#include "report/numbers.h"
#include "report/recording.h"
#include "report/space_text.h"
#include "report/table.h"
#include "schedules.h"
#include "service/schedule_input.h"
#include "service/schedule_passes.h"
#include "texts/presets.h"
#include "verbs.h"

namespace gridloom::cli {

namespace {

using report::Fact;

std::string meshText(const hardware::Topology& hw) {
  std::string out;
  for (const hardware::MeshDim& dim : hw.dims()) {
    out += fmt::format("{}{} {}", out.empty() ? "" : " × ", dim.name, dim.size);
  }
  const std::int64_t idle = hw.enabledCores() - hw.coreCount();
  return out + fmt::format(": {} core{}", hw.coreCount(), hw.coreCount() == 1 ? "" : "s") +
         (idle == 0 ? "" : fmt::format(", {} more on lines with a disabled core stay idle", idle));
}

std::string modesText(const hardware::Topology& hw) {
  std::string out;
  std::vector<std::string> modes(hw.modes().begin(), hw.modes().end());
  if (modes.empty()) modes.emplace_back();  // a rate without a name
  for (const std::string& mode : modes) {
    const auto compute = hw.compute(mode, 16);
    if (!compute || compute->matrixPeak <= 0) continue;
    const double peak = compute->matrixPeak * static_cast<double>(hw.enabledCores());
    if (!out.empty()) out += "\n";
    if (!mode.empty()) out += mode + ": ";
    out += fmt::format("{} flop/cycle per core", report::trimmed(compute->matrixPeak, 1));
    if (compute->matrixSustained < compute->matrixPeak) {
      out += fmt::format(" ({} sustained)", report::trimmed(compute->matrixSustained, 1));
    }
    if (hw.clock() > 0) out += ", " + report::flopRateText(peak * hw.clock()) + " in all";
  }
  return out.empty() ? "none" : out;
}

std::string networksText(const hardware::Topology& hw) {
  std::string out;
  for (const hardware::Network& network : hw.networks()) {
    if (!out.empty()) out += "\n";
    out += fmt::format("{}: {} B/cycle per link, {} cycles per hop, {}", network.name,
                       report::trimmed(network.bandwidth, 2), report::trimmed(network.latency, 2),
                       network.multicastBandwidth > 0 ? "multicast" : "no multicast");
  }
  return out.empty() ? "none" : out;
}

std::string globalText(const hardware::GlobalMemory& memory) {
  const hardware::MemoryStripes& stripes = memory.stripes;
  return fmt::format(
      "{}: {} × {}, {} B/cycle read and {} B/cycle write per channel{}, {}-byte pages{}",
      memory.name, memory.channels, report::bytesText(static_cast<double>(memory.bytesPerChannel)),
      report::trimmed(memory.readBandwidth, 2), report::trimmed(memory.writeBandwidth, 2),
      memory.duplex ? " side by side" : "", memory.interleave,
      stripes.parts > 1
          ? fmt::format(", stripes of {} bytes in {} parts", stripes.bytes, stripes.parts)
          : "");
}

std::string dmaText(const hardware::DmaChannels& dma, double rate) {
  if (!dma.limited() && rate <= 0) return "";
  const auto text = [](std::int64_t channels) {
    return channels == 0 ? "any number" : fmt::format("{}", channels);
  };
  return fmt::format(", DMA channels: {} in, {} out", text(dma.in), text(dma.out)) +
         (rate > 0 ? fmt::format(" of {} B/cycle", report::trimmed(rate, 2)) : "");
}

std::string sharedBufferText(const hardware::SharedBuffer& memory) {
  return fmt::format("{}: {} × {}, {} B/cycle", memory.name, memory.instances,
                     report::bytesText(static_cast<double>(memory.bytes)),
                     report::trimmed(memory.bandwidth, 2)) +
         dmaText(memory.dma, memory.dmaRate);
}

std::vector<Fact> factsOf(const hardware::Topology& hw) {
  const hardware::LocalMemory& local = hw.local();
  std::vector<Fact> facts{{"mesh", meshText(hw)}, {"matrix rate", modesText(hw)}};
  facts.push_back(
      {"clock", hw.clock() > 0 ? report::clockText(hw.clock()) : "not given: cycles only"});
  facts.push_back(
      {"local memory",
       fmt::format("{}: {} per {}, {} B/cycle to the network", local.name,
                   report::bytesText(static_cast<double>(local.bytes)),
                   local.sharedBy == 1 ? "core" : fmt::format("{} cores", local.sharedBy),
                   report::trimmed(local.bandwidth, 2)) +
           dmaText(local.dma, local.dmaRate)});
  for (const hardware::SharedBuffer& level : hw.sharedBuffers())
    facts.push_back({"shared buffer", sharedBufferText(level)});
  facts.push_back({"networks", networksText(hw)});
  facts.push_back({"memory", hw.hasGlobal() ? globalText(hw.global()) : "none"});
  if (hw.launch() > 0) facts.push_back({"launch", report::cyclesText(hw.launch()) + " cycles"});
  if (hw.reload() > 0) facts.push_back({"reload", report::cyclesText(hw.reload()) + " cycles"});
  return facts;
}

std::string loopsText(const report::KernelRecord& kernel) {
  std::string out;
  for (const report::LoopRecord& loop : kernel.loops) {
    out += fmt::format("{}{}: {}, {}", out.empty() ? "" : "\n", loop.name,
                       report::grouped(loop.extent), loop.kind);
  }
  return out;
}

std::string tensorsText(const report::KernelRecord& kernel) {
  std::string out;
  for (const report::TensorRecord& tensor : kernel.tensors) {
    out += fmt::format("{}{}[{}]: {}, {}", out.empty() ? "" : "\n", tensor.name,
                       fmt::join(tensor.shape, ", "), tensor.dtype, tensor.role);
  }
  return out;
}

std::string opsText(const kernel::Kernel& kernel, const kernel::TileNest& nest) {
  std::string out;
  for (const kernel::TileOp& op : nest.ops) {
    const kernel::Statement& statement = kernel.statements[op.statement.index()];
    const bool matrix = op.unit == kernel::UnitKind::Matrix;
    out += fmt::format("{}{} for {}{}", out.empty() ? "" : "\n",
                       matrix ? "matrix product" : "vector " + std::string(nameOf(op.fn)),
                       kernel.tensor(statement.target.tensor).name,
                       op.phase == kernel::Phase::Epilogue ? ", at the end" : "");
  }
  return out;
}

// Whether several cores can share the iterations of a loop with loop-carried state.
void addState(const kernel::Kernel& kernel, const kernel::TileNest& nest,
              std::vector<Fact>& facts) {
  if (nest.merge) {
    facts.push_back({"shares join", fmt::format("{}: {}", kernel.loop(nest.merge->loop).name,
                                                describe(kernel, *nest.merge))});
  } else if (!nest.noMerge.empty()) {
    facts.push_back({"not shared", fmt::format("{}: {}", kernel.loop(nest.sequential.front()).name,
                                               nest.noMerge)});
  }
}

// The all-reduces of a loop of which each core has one share.
std::string sharesText(const service::Kernel& kernel, kernel::LoopId loop) {
  std::string reduced;
  for (const kernel::AllReduce& reduce : kernel.nest->allReduces) {
    if (!contains(reduce.over, loop)) continue;
    reduced += (reduced.empty() ? "" : ", ") + reduce.name;
  }
  return fmt::format("{}: one per core, with an all-reduce of {}", kernel.kernel.loop(loop).name,
                     reduced);
}

std::vector<Fact> factsOf(const service::Kernel& kernel) {
  const report::KernelRecord record = report::recordOf(kernel.kernel);
  std::vector<Fact> facts{
      {"kernel", record.name},
      {"loops", loopsText(record)},
      {"tensors", tensorsText(record)},
      {"work", report::countText(record.flops) + "FLOP"},
      {"must move", report::bytesText(static_cast<double>(record.compulsoryBytes))}};
  if (!kernel.nest) {
    facts.push_back({"mapped", "not yet: " + kernel.notMapped.front().message});
    return facts;
  }
  facts.push_back({"tile operations", opsText(kernel.kernel, *kernel.nest)});
  for (const kernel::TileNest::Whole& whole : kernel.nest->whole) {
    const std::string& loop = kernel.kernel.loop(whole.loop).name;
    facts.push_back({"not tiled", loop + ": " + whole.reason});
    if (!whole.noShares.empty()) facts.push_back({"nor in shares", loop + ": " + whole.noShares});
    if (whole.inShares) facts.push_back({"in shares", sharesText(kernel, whole.loop)});
  }
  addState(kernel.kernel, *kernel.nest, facts);
  return facts;
}

Exit printShown(const base::SourceText& source, const std::vector<Fact>& facts,
                const base::Diagnostics& remarks) {
  printDiagnostics(remarks);
  std::string text(source.text());
  if (!text.ends_with('\n')) text += '\n';
  return printAnswer(text + "\n" + report::factsText(facts));
}

Exit showHardware(const std::string& name) {
  auto text = texts::loadHardwareText(name);
  auto hardware =
      text ? service::openHardware(*text) : base::Result<service::HardwareRef>(text.diagnostics());
  if (hardware) {
    return printShown(*(*hardware)->source, factsOf((*hardware)->topology), (*hardware)->remarks);
  }
  printDiagnostics(hardware.diagnostics());
  return Exit::BadInput;
}

Exit showKernel(const std::string& name, const Options& options) {
  auto kernel = openKernel(name, options);
  if (kernel) return printShown(*(*kernel)->source, factsOf(**kernel), (*kernel)->remarks);
  printDiagnostics(kernel.diagnostics());
  return Exit::BadInput;
}

Exit showSpace(const Options& options) {
  if (options.hardware.empty() || options.kernel.empty() || !options.names.empty()) {
    printError("--space shows the mappings of a kernel on a hardware",
               "write `gridloom show --space --hardware wormhole_8x8 --kernel gemm`");
    return Exit::BadInput;
  }
  auto inputs = openInputs(options);
  const Inputs* in = valueOf(inputs);
  if (in == nullptr) return std::get<Exit>(inputs);
  base::Progress progress;
  const base::InterruptGuard guard(progress);
  const auto sizes = [&](const mapping::Constraints& constraints) {
    return search::spaceSizes(in->kernel->kernel, *in->kernel->nest, in->hardware->topology,
                              constraints, options.mode, progress);
  };
  const auto free = sizes({});
  const auto narrowed = free ? sizes(in->constraints) : free;
  if (progress.cancelled()) return base::stoppedStatus();
  if (!narrowed) {
    printDiagnostics(narrowed.diagnostics());
    return Exit::BadInput;
  }
  return printAnswer(report::spaceText(*free, *narrowed));
}

Exit showSchedule(const Options& options) {
  if (options.hardware.empty() || options.kernel.empty() || !options.names.empty()) {
    printError("`show --schedule` prints the schedule of a kernel on a hardware",
               "write `gridloom show --schedule --hardware H --kernel K`, without a name");
    return Exit::BadInput;
  }
  if (const auto errors =
          options.pass.empty() ? base::Diagnostics{} : service::checkPasses(options.pass);
      !errors.empty()) {
    printDiagnostics(errors);
    return Exit::BadInput;
  }
  auto inputs = openInputs(options);
  const Inputs* in = valueOf(inputs);
  if (in == nullptr) return std::get<Exit>(inputs);
  base::Progress progress;
  const base::InterruptGuard guard(progress);
  auto schedule = openSchedule(options, *in, progress);
  if (valueOf(schedule) == nullptr) return std::get<Exit>(schedule);
  const std::string text =
      service::textOf((*valueOf(schedule))->schedule, *in->kernel, *in->hardware);
  return printAnswer(text);
}

/// Only kernels have parameters, element types and several entries.
bool hasKernelOptions(const Options& options) {
  const std::array<std::pair<const char*, bool>, 3> given{{{"--entry", !options.entry.empty()},
                                                           {"--set", !options.set.empty()},
                                                           {"--dtype", !options.dtype.empty()}}};
  bool any = false;
  for (const auto& [name, isGiven] : given) {
    if (!isGiven) continue;
    printError(std::string(name) + " has no effect on a hardware description",
               "it belongs to a kernel");
    any = true;
  }
  return any;
}

bool isIn(const std::vector<texts::Preset>& presets, const std::string& name) {
  return std::ranges::any_of(presets, [&](const texts::Preset& preset) {
    return preset.name == name || preset.group + "/" + preset.name == name;
  });
}

}  // namespace

Exit show(const Options& options) {
  if (options.space && options.showSchedule) {
    printError("--space and --schedule are two answers", "ask for one of them");
    return Exit::BadInput;
  }
  if (options.space) return showSpace(options);
  if (options.showSchedule) return showSchedule(options);
  if (options.names.empty()) {
    printError("show what?",
               "`gridloom show wormhole_8x8`, `gridloom show gemm`, or --space or --schedule "
               "with --hardware and --kernel");
    return Exit::BadInput;
  }
  const std::string& name = options.names.front();
  const std::string extension = std::filesystem::path(name).extension().string();
  if (extension == ".rec") return showKernel(name, options);
  if (extension == ".hw" || isIn(texts::listHardware(), name)) {
    return hasKernelOptions(options) ? Exit::BadInput : showHardware(name);
  }
  if (isIn(texts::listKernels(), name)) return showKernel(name, options);
  printError("no hardware or kernel is called `" + name + "`",
             "`gridloom list hardware` and `gridloom list kernels` show what there is; "
             "files end in .hw or .rec");
  return Exit::BadInput;
}

}  // namespace gridloom::cli
