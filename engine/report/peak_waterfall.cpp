// SPDX-License-Identifier: Apache-2.0
#include "report/peak_waterfall.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/numbers.h"
#include "report/peak_causes.h"

namespace gridloom::report {

namespace {

using simulate::State;
using timing::ComputePart;

struct Names {
  std::string_view key, name;
};
constexpr std::array<Names, kPeakLosses> kNames{{{"unit_rate", "Unit rate"},
                                                 {"issue", "Issue overhead"},
                                                 {"unit_fill", "Unit fill"},
                                                 {"padding", "Padding, edge tiles"},
                                                 {"extra_work", "Extra work"},
                                                 {"partial_sums", "Partial sums"},
                                                 {"launch", "Launch"},
                                                 {"fill_dram", "Fill: wait DRAM"},
                                                 {"fill_link", "Fill: wait link"},
                                                 {"fill_sync", "Fill: setup, sync"},
                                                 {"wait_dram", "Wait DRAM"},
                                                 {"wait_link", "Wait link"},
                                                 {"wait_sync", "Wait setup, sync"},
                                                 {"wait_store", "Wait store"},
                                                 {"uneven_cores", "Uneven cores"},
                                                 {"drain", "Drain"},
                                                 {"idle_cores", "Idle cores"}}};

constexpr std::size_t at(State state) { return static_cast<std::size_t>(state); }
constexpr std::size_t at(ComputePart part) { return static_cast<std::size_t>(part); }
/// Position of a state in Simulation::coreFill.
constexpr std::size_t inFill(State state) { return at(state) - at(State::WaitLoad); }

bool reducesPartials(const schedule::Program& program) {
  return std::ranges::any_of(program.processes, [](const schedule::Process& process) {
    return process.role == schedule::Process::Role::Compute &&
           std::ranges::any_of(process.code, [](const schedule::Instruction& instruction) {
             return instruction.op == schedule::Op::Reduce;
           });
  });
}

double sumOf(const simulate::ComputeParts& parts) {
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

}  // namespace

std::string_view keyOf(PeakLoss loss) { return kNames[static_cast<std::size_t>(loss)].key; }
std::optional<PeakLoss> lossNamed(std::string_view key) {
  for (std::size_t l = 0; l < kPeakLosses; ++l) {
    if (kNames[l].key == key) return static_cast<PeakLoss>(l);
  }
  return std::nullopt;
}
std::string_view nameOf(PeakLoss loss) { return kNames[static_cast<std::size_t>(loss)].name; }

CoreLosses::CoreLosses(const PeakRun& run) : m_run(run), m_launch(run.hw.launch()) {
  for (const schedule::Program& program : run.schedule.programs)
    m_reduces.push_back(reducesPartials(program) ? 1 : 0);
  double atPeak = 0, active = 0;
  for (std::size_t core = 0; core < run.split.classOf.size(); ++core) {
    const simulate::ComputeParts* parts = run.split.of(core);
    if (parts == nullptr) continue;
    ++active;
    atPeak += (*parts)[at(ComputePart::AtPeak)];
    m_lastCompute = std::max(m_lastCompute, run.simulated.cycles - afterCompute(core));
  }
  const double useful = run.simulated.flops / run.compute.peakFlops();
  m_extra = atPeak > 0 ? 1 - useful / atPeak : 0;
  for (std::size_t l = 0; l < kPeakLosses; ++l) {
    const auto loss = static_cast<PeakLoss>(l);
    if (loss == PeakLoss::IdleCores) continue;
    for (std::size_t core = 0; core < run.split.classOf.size(); ++core)
      m_totals[l] += of(loss, core);
  }
  m_totals[static_cast<std::size_t>(PeakLoss::IdleCores)] =
      (static_cast<double>(run.hw.enabledCores()) - active) * run.simulated.cycles;
}

/// Time after the core's compute process has finished.
double CoreLosses::afterCompute(std::size_t core) const {
  return std::max(0.0, m_run.simulated.coreStates[core][at(State::Idle)] - m_launch);
}

double CoreLosses::of(PeakLoss loss, std::size_t core) const {
  const simulate::ComputeParts* parts = m_run.split.of(core);
  const double cycles = m_run.simulated.cycles;
  if (parts == nullptr) return loss == PeakLoss::IdleCores ? cycles : 0;
  const auto& states = m_run.simulated.coreStates[core];
  const auto& fill = m_run.simulated.coreFill[core];
  const auto filled = [&](State state) { return static_cast<double>(fill[inFill(state)]); };
  const auto later = [&](State state) { return states[at(state)] - filled(state); };
  switch (loss) {
  case PeakLoss::UnitRate:
    return (*parts)[at(ComputePart::UnitRate)];
  case PeakLoss::Issue:
    return (*parts)[at(ComputePart::Issue)];
  case PeakLoss::UnitFill:
    return (*parts)[at(ComputePart::UnitFill)];
  case PeakLoss::Padding:
    return (*parts)[at(ComputePart::Padding)];
  case PeakLoss::ExtraWork:
    return m_extra * (*parts)[at(ComputePart::AtPeak)];
  case PeakLoss::PartialSums:
    // A core that reduces nothing has no such time; a difference there must show in the sum.
    return m_reduces[m_run.schedule.programOfCore[core].index()] != 0
               ? states[at(State::Compute)] - sumOf(*parts)
               : 0;
  case PeakLoss::Launch:
    return std::min(m_launch, states[at(State::Idle)]);
  case PeakLoss::FillDram:
    return filled(State::WaitDram);
  case PeakLoss::FillLink:
    return filled(State::WaitLink);
  case PeakLoss::FillSync:
    return filled(State::WaitLoad) + filled(State::WaitSync);
  case PeakLoss::WaitDram:
    return later(State::WaitDram);
  case PeakLoss::WaitLink:
    return later(State::WaitLink);
  case PeakLoss::WaitSync:
    return later(State::WaitLoad) + later(State::WaitSync);
  case PeakLoss::WaitStore:
    return states[at(State::WaitStore)];
  case PeakLoss::UnevenCores:
    return m_lastCompute - (cycles - afterCompute(core));
  case PeakLoss::Drain:
    return cycles - m_lastCompute;
  case PeakLoss::IdleCores:
    break;
  }
  return 0;
}

WaterfallRecord waterfallOf(const PeakRun& run) {
  const CoreLosses losses(run);
  WaterfallRecord out;
  out.cycles = run.simulated.cycles;
  out.cores = run.hw.enabledCores();
  const auto cores = static_cast<double>(out.cores);
  out.peakFlops = run.compute.peakFlops() * cores;
  out.clock = run.hw.clock();
  out.achieved = run.simulated.utilization;
  // Rounding to ticks and to single precision; no cause makes so little.
  const double least = 1e-6 * out.cycles;
  for (std::size_t l = 0; l < kPeakLosses; ++l) {
    const auto loss = static_cast<PeakLoss>(l);
    LossRecord record{std::string(keyOf(loss)), std::string(nameOf(loss)), {}, 0, 0, {}};
    record.cycles = losses.total(loss) / cores;
    record.share = record.cycles / out.cycles;
    if (record.cycles > least) {
      record.reason = reasonOf(run, loss);
      record.causes = causesOf(run, loss);
    }
    out.losses.push_back(std::move(record));
  }
  return out;
}

namespace {

bool isShown(const LossRecord& loss) { return !loss.reason.empty(); }

/// TFLOP/s where a clock is known, else flop per cycle.
std::string rateText(const WaterfallRecord& waterfall, double share) {
  const double rate = waterfall.peakFlops * share;
  if (waterfall.clock <= 0) return trimmed(rate, 1);
  return fmt::format("{:.2f}", rate * waterfall.clock / 1e12);
}

}  // namespace

Table waterfallTable(const WaterfallRecord& waterfall) {
  Table table;
  const bool timed = waterfall.clock > 0;
  table.columns = {{"step", "step", Align::Left},
                   timed ? Column{"TFLOP/s", "tflops"} : Column{"flop/cycle", "flop_per_cycle"},
                   {"share", "share"},
                   {"cycles", "cycles"},
                   {"because", "reason", Align::Left}};
  const auto add = [&](const std::string& name, double share, bool lost, const std::string& why) {
    const double cycles = share * waterfall.cycles;
    const double rate = waterfall.peakFlops * share * (timed ? waterfall.clock / 1e12 : 1);
    table.rows.push_back({textCell(name),
                          {(lost ? "-" : "") + rateText(waterfall, share), exactText(rate)},
                          {percentText(share), exactText(share)},
                          {cyclesText(cycles), exactText(cycles)},
                          textCell(why)});
  };
  add("Peak", 1, false,
      fmt::format("{} flop/cycle of {} core{}", trimmed(waterfall.peakFlops, 1),
                  grouped(waterfall.cores), waterfall.cores == 1 ? "" : "s"));
  for (const LossRecord& loss : waterfall.losses) {
    if (isShown(loss)) add(loss.name, loss.share, true, loss.reason);
  }
  add("Achieved", waterfall.achieved, false, "the kernel's own flops");
  return table;
}

std::string waterfallNote(const WaterfallRecord& waterfall) {
  auto out = fmt::format("sums to {} of {} core{} × {} cycles", percentText(waterfall.sum()),
                         grouped(waterfall.cores), waterfall.cores == 1 ? "" : "s",
                         cyclesText(waterfall.cycles));
  std::string none;
  for (const LossRecord& loss : waterfall.losses) {
    if (isShown(loss)) continue;
    std::string name = loss.name;
    name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
    none += (none.empty() ? "" : "; ") + name;
  }
  return none.empty() ? out : out + "\nnothing lost to: " + none;
}

}  // namespace gridloom::report
