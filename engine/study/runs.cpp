// SPDX-License-Identifier: Apache-2.0
#include "study/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/assignments.h"
#include "hardware/varied.h"
#include "service/count.h"
#include "study/quantity.h"
#include "texts/presets.h"

namespace gridloom::study {

namespace {

/// The words of a text, which are separated by single blanks.
std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find(' '), text.size());
    out.push_back(text.substr(0, end));
  }
  return out;
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"cases", words("hardware vary kernel sizes dtype mode directives otherwise tiles cores top"),
       words("cycles us tflops gflops utilization dram_bytes computing balance first clock launch "
             "reload"),
       words("mapping waits"), runCase},
      {"counts",
       words("hardware kernel sizes nest memory tensor"),
       words("tile reads fills updates reductions addresses"),
       {},
       runCount},
      {"unicast",
       words("hardware direction memory transactions same_axis bytes"),
       {"cycles"},
       {},
       runUnicast},
      {"streams", words("hardware direction channels tiles placed noc"), {"gbps"}, {}, runStreams},
      {"load", words("hardware traffic rate"), {"latency"}, {}, runLoad},
      {"agreement", words("hardware kernel sizes"), {}, {}, runAgreement},
      {"ranking", words("hardware kernel sizes"), words("first refined"), {"mapping"}, runRanking},
      {"list", {}, {}, {}, nullptr}};
  return all;
}

/// Accesses of a tensor at the named memory, or at the outermost one.
const access::TensorAccesses* accessesOf(const service::NestCount& count, const Run& run) {
  const std::string& memory = run.setting("memory");
  for (const access::LevelAccesses& level : count.counts.levels) {
    if (!memory.empty() && level.memory != memory) continue;
    for (std::size_t i = 0; i < count.counts.tensors.size(); ++i) {
      const std::string& name = count.kernel->kernel.tensor(count.counts.tensors[i]).name;
      if (name == run.setting("tensor")) return &level.tensors[i];
    }
  }
  return nullptr;
}

base::Result<service::KernelRef> openedKernel(const Run& run) {
  auto text = texts::loadKernelText(run.setting("kernel"));
  if (!text) return text.takeDiagnostics();
  auto sizes = base::sizesIn(run.setting("sizes"));
  if (!sizes) return sizes.takeDiagnostics();
  return service::openKernel(*std::move(text), {*std::move(sizes), run.setting("dtype"), ""});
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

const std::string& Run::setting(std::string_view name) const {
  static const std::string none;
  const auto found = settings.find(name);
  return found == settings.end() ? none : found->second;
}

double Run::number(std::string_view name, double otherwise, double least, double most) {
  const std::string& text = setting(name);
  if (text.empty()) return otherwise;
  const auto value = base::numberIn(text);
  if (!value || std::abs(*value) >= 1e15) {
    errors = {base::plainError(fmt::format("`{}` has to be a number, not `{}`", name, text))};
  } else if (*value < least || *value > most) {
    errors = {base::plainError(fmt::format("`{}` has to be from {} to {}", name, least, most))};
  }
  return value.value_or(0);
}

base::Result<service::HardwareRef> Runner::hardware(const std::string& name,
                                                    const std::string& vary) {
  const auto key = std::pair(name, vary);
  if (const auto known = m_hardware.find(key); known != m_hardware.end()) return known->second;
  auto text = texts::loadHardwareText(name);
  if (!text) return text.takeDiagnostics();
  auto opened = service::openHardware(*std::move(text));
  if (!opened) return opened;
  const auto changes = base::assignmentsIn(vary);
  if (!changes) return changes.diagnostics();
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

base::Result<RunResult> Runner::run(const Kind& kind, const Settings& settings) {
  const auto key = std::pair(&kind, settings);
  if (const auto known = m_results.find(key); known != m_results.end()) return known->second;
  Run run{m_options, m_progress, settings};
  auto hardware = this->hardware(run.setting("hardware"), run.setting("vary"));
  if (!hardware) return hardware.takeDiagnostics();
  run.hardware = *std::move(hardware);
  if (std::ranges::find(kind.settings, "kernel") != kind.settings.end()) {
    auto kernel = openedKernel(run);
    if (!kernel) return kernel.takeDiagnostics();
    run.kernel = service::fitted(*std::move(kernel), *run.hardware);
  }
  auto result = kind.run(std::move(run));
  if (result) m_results.emplace(key, *result);
  return result;
}

base::Result<RunResult> runCount(Run run) {
  auto nest = texts::loadNestText(run.setting("nest"));
  if (!nest) return nest.takeDiagnostics();
  std::array<access::TensorAccesses, 2> sides;
  for (const std::size_t side : {0U, 1U}) {
    const auto sweep = side == 0 ? access::Sweep::Steady : access::Sweep::Full;
    const auto count = service::countNest(run.hardware, run.kernel, *nest, sweep);
    if (!count) return count.diagnostics();
    const access::TensorAccesses* accesses = accessesOf(*count, run);
    if (accesses == nullptr) {
      return base::plainError(fmt::format("the nest has no memory `{}` with a tensor `{}`",
                                          run.setting("memory"), run.setting("tensor")));
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
