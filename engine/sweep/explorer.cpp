// SPDX-License-Identifier: Apache-2.0
#include "sweep/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "exchange/sweep_json.h"
#include "kernel/kernel.h"
#include "report/exploration_text.h"
#include "report/recording.h"
#include "service/fitting_sizes.h"

namespace gridloom::sweep {

namespace {

constexpr std::size_t kMostKnownPoints = 100'000;
constexpr const char* kNothingFits = "no mapping fits";

std::string firstError(const base::Diagnostics& problems) {
  const auto error =
      std::ranges::find(problems, base::Severity::Error, &base::Diagnostic::severity);
  return error == problems.end() ? std::string() : error->message;
}

std::string firstError(const service::CheckedInputs& checked) {
  for (const base::Diagnostics* each :
       {&checked.hardware.problems, &checked.kernelProblems, &checked.directiveProblems}) {
    if (std::string error = firstError(*each); !error.empty()) return error;
  }
  return kNothingFits;
}

/// Why there is no mapping.
std::string failureOf(const search::SpaceCount& space) {
  if (space.stopped != search::Stop::None)
    return fmt::format("no mapping was found before the search ended: {}",
                       search::nameOf(space.stopped));
  std::string words = kNothingFits;
  const auto most = std::ranges::max_element(space.rejected, {}, &search::Rejection::count);
  if (most == space.rejected.end()) return words;
  words += ": infeasible by " + most->reason;
  if (most->needed > 0) words += ", at least " + report::missText(*most);
  return words;
}

SweepFound foundOf(const service::Exploration& exploration) {
  SweepFound found;
  found.cores = exploration.hardware->topology.coreCount();
  const search::SpaceCount& space = exploration.space;
  // Where another form of the kernel was not searched to its end, it may be the better one.
  found.stopped = space.stopped == search::Stop::None ? space.formChoice : space.stopped;
  if (exploration.top.empty()) {
    found.failure = failureOf(space);
    return found;
  }
  const ranking::Ranked& best = exploration.top.front();
  found.predicted = best.candidate.estimate.cycles;
  found.utilization = best.candidate.estimate.utilization;
  if (best.simulated) {
    found.simulated = best.simulated->cycles;
    found.utilization = best.simulated->utilization;
  }
  found.notSimulated = best.notSimulated;
  found.bottleneck = best.candidate.estimate.bottleneck;
  found.mapping = service::lineAt(exploration, 0);
  return found;
}

}  // namespace

std::optional<SweepFound> KnownPoints::find(const std::string& meaning) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_found.find(meaning);
  return found == m_found.end() ? std::nullopt : std::optional(found->second);
}

void KnownPoints::keep(const std::string& meaning, const SweepFound& found) {
  const std::lock_guard lock(m_mutex);
  if (m_found.size() >= kMostKnownPoints) m_found.clear();
  m_found[meaning] = found;
}

Explorer::Explorer(service::InputTexts texts, std::vector<SweepAxis> axes, ExplorerOptions options,
                   std::shared_ptr<KnownPoints> known)
    : m_texts(std::move(texts)),
      m_axes(std::move(axes)),
      m_options(options),
      m_known(std::move(known)) {}

SweepFound Explorer::explored(const service::CheckedInputs& checked,
                              base::Progress& progress) const {
  SweepFound none;
  if (!checked.constraints) {
    none.failure = firstError(checked);
    return none;
  }
  service::ExploreOptions options;
  options.top = 1;
  options.threads = m_texts.threads;
  options.mode = m_texts.mode;
  options.rerank = m_options.rerank;
  options.limits = m_options.limits;
  options.search = checked.search;
  const auto explored = service::explore(checked.hardware.hardware, checked.kernel,
                                         *checked.constraints, options, progress);
  if (explored) return foundOf(**explored);
  none.failure = firstError(explored.diagnostics());
  return none;
}

std::optional<Explorer::Step> Explorer::at(const SweepPoint& point, base::Progress& progress,
                                           double seconds) {
  service::InputTexts texts = textsAt(m_texts, m_axes, point);
  texts.search.seconds = seconds;
  Step step;
  try {
    const service::CheckedInputs checked =
        service::checkInputs(texts, m_hardware, m_hardware.hardware.get(), progress);
    m_hardware = checked.hardware;
    // Inputs with errors have no meaning, and are not kept.
    const bool keeps = m_known && !checked.meaning.empty();
    const std::string meaning = checked.meaning + std::to_string(m_options.rerank.least) + ' ' +
                                std::to_string(m_options.rerank.most);
    if (auto earlier = keeps ? m_known->find(meaning) : std::nullopt)
      return Step{*std::move(earlier), false};
    step = {explored(checked, progress), true};
    const bool ended = step.found.stopped != search::Stop::TimeLimit;
    if (keeps && ended && !progress.cancelled()) m_known->keep(meaning, step.found);
  } catch (const std::exception& fault) {
    step.found.failure = std::string("not explored: ") + fault.what();
  }
  if (progress.cancelled()) return std::nullopt;
  return step;
}

report::SweepRecord sweepOf(const service::InputTexts& texts, const kernel::Kernel& kernel,
                            bool simulated, std::vector<SweepAxis> axes) {
  report::SweepRecord record;
  record.hardware = std::filesystem::path(texts.hardware->name()).stem().string();
  record.kernel = kernel.name;
  const report::KernelRecord facts = report::recordOf(kernel);
  const auto input = std::ranges::find(facts.tensors, "input", &report::TensorRecord::role);
  if (input != facts.tensors.end()) record.dtype = input->dtype;
  record.mode = texts.mode;
  // What follows from others varies with them.
  for (const kernel::Parameter& parameter : service::writtenSizes(kernel)) {
    const bool varies = std::ranges::any_of(axes, [&](const SweepAxis& axis) {
      return axis.parameter.ofKernel && axis.parameter.component == parameter.name;
    });
    if (!varies) record.parameters.push_back({parameter.name, parameter.value});
  }
  record.simulated = simulated;
  record.points = report::sweepPoints(axes);
  record.axes = std::move(axes);
  return record;
}

base::Result<report::SweepRecord> openSweep(base::SourceRef text) {
  return exchange::readSweep(std::move(text));
}

}  // namespace gridloom::sweep
