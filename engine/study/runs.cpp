// SPDX-License-Identifier: Apache-2.0
#include "study/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/assignments.h"
#include "hardware/varied.h"
#include "service/count.h"
#include "study/quantity.h"

namespace gridloom::study {

namespace {

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"cases",
       {"hardware", "vary", "kernel", "sizes", "dtype", "mode", "directives", "otherwise", "tiles",
        "cores", "top"},
       {"cycles", "us", "tflops", "gflops", "utilization", "dram_bytes", "computing", "balance",
        "first", "clock", "launch", "reload"},
       {"mapping", "waits"},
       runCase},
      {"counts",
       {"hardware", "kernel", "sizes", "nest", "memory", "tensor"},
       {"tile", "reads", "fills", "updates", "reductions", "addresses"},
       {},
       runCount},
      {"unicast",
       {"hardware", "direction", "memory", "transactions", "same_axis", "bytes"},
       {"cycles"},
       {},
       runUnicast},
      {"streams",
       {"hardware", "direction", "channels", "tiles", "placed", "noc"},
       {"gbps"},
       {},
       runStreams},
      {"load", {"hardware", "traffic", "rate"}, {"latency"}, {}, runLoad},
      {"agreement", {"hardware", "kernel", "sizes"}, {}, {}, runAgreement},
      {"ranking", {"hardware", "kernel", "sizes"}, {"first", "refined"}, {"mapping"}, runRanking},
      {"list", {}, {}, {}, nullptr},
  };
  return all;
}

/// Accesses of a tensor at the named memory, or at the outermost one.
const access::TensorAccesses* accessesOf(const service::NestCount& count,
                                         const Settings& settings) {
  const std::string& memory = setting(settings, "memory");
  for (const access::LevelAccesses& level : count.counts.levels) {
    if (!memory.empty() && level.memory != memory) continue;
    for (std::size_t i = 0; i < count.counts.tensors.size(); ++i) {
      const std::string& name = count.kernel->kernel.tensor(count.counts.tensors[i]).name;
      if (name == setting(settings, "tensor")) return &level.tensors[i];
    }
  }
  return nullptr;
}

}  // namespace

const Kind* kindOf(std::string_view name) {
  const auto found = std::ranges::find(kinds(), name, &Kind::name);
  return found == kinds().end() ? nullptr : &*found;
}

std::vector<std::string_view> kindNames() {
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds()) names.push_back(kind.name);
  return names;
}

const std::string& setting(const Settings& settings, std::string_view name) {
  static const std::string none;
  const auto found = settings.find(name);
  return found == settings.end() ? none : found->second;
}

base::Result<double> numberSetting(const Settings& settings, std::string_view name,
                                   double otherwise) {
  const std::string& text = setting(settings, name);
  if (text.empty()) return otherwise;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::abs(value) < 1e15) {
    return value;
  }
  return base::plainError(fmt::format("`{}` has to be a number, not `{}`", name, text));
}

base::Result<service::HardwareRef> Runner::hardware(const Settings& settings) {
  const auto key = std::pair(setting(settings, "hardware"), setting(settings, "vary"));
  if (const auto known = m_hardware.find(key); known != m_hardware.end()) return known->second;
  auto text = service::loadHardwareText(key.first);
  if (!text) return text.takeDiagnostics();
  auto opened = service::openHardware(*std::move(text));
  if (!opened) return opened;
  auto changes = base::assignmentsIn(key.second);
  if (!changes) return changes.takeDiagnostics();
  if (changes->empty()) return m_hardware.emplace(key, *std::move(opened)).first->second;
  service::Hardware out = **opened;
  auto spec = hardware::varied(out.spec, *changes);
  if (!spec) return spec.takeDiagnostics();
  auto topology = hardware::makeTopology(*spec);
  if (!topology) return topology.takeDiagnostics();
  out.spec = *std::move(spec);
  out.topology = *std::move(topology);
  auto varied = std::make_shared<const service::Hardware>(std::move(out));
  return m_hardware.emplace(key, std::move(varied)).first->second;
}

base::Result<service::KernelRef> Runner::kernel(const Settings& settings) {
  auto text = service::loadKernelText(setting(settings, "kernel"));
  if (!text) return text.takeDiagnostics();
  auto sizes = base::sizesIn(setting(settings, "sizes"));
  if (!sizes) return sizes.takeDiagnostics();
  return service::openKernel(*std::move(text), {*std::move(sizes), setting(settings, "dtype"), ""});
}

base::Result<RunResult> Runner::run(const Kind& kind, const Settings& settings) {
  const auto key = std::pair(&kind, settings);
  if (const auto known = m_results.find(key); known != m_results.end()) return known->second;
  auto result = kind.run(*this, settings);
  if (result) m_results.emplace(key, *result);
  return result;
}

base::Result<RunResult> runCount(Runner& runner, const Settings& settings) {
  auto hardware = runner.hardware(settings);
  if (!hardware) return hardware.takeDiagnostics();
  auto kernel = runner.kernel(settings);
  if (!kernel) return kernel.takeDiagnostics();
  auto nest = service::loadNestText(setting(settings, "nest"));
  if (!nest) return nest.takeDiagnostics();
  std::array<access::TensorAccesses, 2> sides;
  for (const std::size_t side : {0U, 1U}) {
    const auto sweep = side == 0 ? access::Sweep::Steady : access::Sweep::Full;
    const auto count = service::countNest(*hardware, *kernel, *nest, sweep);
    if (!count) return count.diagnostics();
    const access::TensorAccesses* accesses = accessesOf(*count, settings);
    if (accesses == nullptr) {
      return base::plainError(fmt::format("the nest has no memory `{}` with a tensor `{}`",
                                          setting(settings, "memory"),
                                          setting(settings, "tensor")));
    }
    sides[side] = *accesses;
  }
  using Accesses = access::TensorAccesses;
  const auto both = [&](double Accesses::*of) { return std::array{sides[0].*of, sides[1].*of}; };
  return RunResult{{{"tile", both(&Accesses::tile)},
                    {"reads", both(&Accesses::reads)},
                    {"fills", both(&Accesses::fills)},
                    {"updates", both(&Accesses::updates)},
                    {"reductions", both(&Accesses::reductions)},
                    {"addresses", both(&Accesses::addresses)}},
                   {}};
}

}  // namespace gridloom::study
