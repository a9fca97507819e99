// SPDX-License-Identifier: Apache-2.0
#include "service/reproduce_case.h"

#include <algorithm>
#include <fmt/format.h>

#include "service/result_records.h"

namespace gridloom::service {

namespace {

Measure measureOf(const cost::Estimate& e) {
  return {e.cycles, e.tflops, e.utilization, e.traffic.dramRead + e.traffic.dramWrite, 0, 0};
}

Measure measureOf(const simulate::Simulation& s) {
  constexpr auto kCompute = static_cast<std::size_t>(simulate::State::Compute);
  double least = s.cycles;
  double most = 0;
  for (const auto& states : s.coreStates) {
    least = std::min(least, states[kCompute]);
    most = std::max(most, states[kCompute]);
  }
  Measure out{s.cycles,
              s.tflops,
              s.utilization,
              s.dramRead + s.dramWrite,
              s.cycles > 0 ? s.states[kCompute] / s.cycles : 0,
              most > 0 ? least / most : 0};
  for (const auto& states : s.coreStates) {
    out.busy.push_back(s.cycles > 0 ? states[kCompute] / s.cycles : 0);
  }
  const auto waiting = std::max_element(s.states.begin() + 1, s.states.end() - 1);
  out.waits = nameOf(static_cast<simulate::State>(waiting - s.states.begin()));
  return out;
}

base::Diagnostic failure(const CaseRequest& request, const std::string& why) {
  return base::plainError(
      fmt::format("{} {} on {}{}: {}", request.kernel, sizesText(request), request.hardware,
                  request.directives.empty() ? "" : ", " + request.directives, why));
}

base::SourceRef withTileSizes(const base::SourceText& directives, const CaseRequest& request) {
  std::string text(directives.text());
  for (const auto& [loop, tileSize] : request.tileSizes)
    text += fmt::format("tile({}, {})\n", loop, tileSize);
  return base::makeSource(directives.name(), std::move(text));
}

}  // namespace

std::string sizesText(const CaseRequest& request) {
  std::string out;
  for (const auto& [name, size] : request.set) {
    out += (out.empty() ? "" : " x ") + std::to_string(size);
  }
  return out;
}

base::Result<HardwareRef> CaseRunner::hardware(const std::string& name) {
  if (const auto known = m_hardware.find(name); known != m_hardware.end()) return known->second;
  auto text = loadHardwareText(name);
  if (!text) return text.takeDiagnostics();
  auto opened = openHardware(*std::move(text));
  if (!opened) return opened;
  return m_hardware.emplace(name, *std::move(opened)).first->second;
}

base::Result<base::SourceRef> CaseRunner::directives(const std::string& name) {
  if (name.empty()) return base::makeSource("", "");
  if (const auto known = m_directives.find(name); known != m_directives.end()) return known->second;
  auto text = loadDirectivesText(name);
  if (!text) return text;
  return m_directives.emplace(name, *std::move(text)).first->second;
}

base::Result<CaseResult> CaseRunner::run(const CaseRequest& request) {
  if (const auto known = m_results.find(request); known != m_results.end()) return known->second;
  auto result = runReranked(request);
  if (result) m_results.emplace(request, *result);
  return result;
}

base::Result<CaseResult> CaseRunner::runReranked(const CaseRequest& request) {
  auto hw = hardware(request.hardware);
  if (!hw) return hw.takeDiagnostics();
  auto text = directives(request.directives);
  if (!text) return text.takeDiagnostics();
  if (!request.tileSizes.empty()) *text = withTileSizes(**text, request);
  auto kernelText = loadKernelText(request.kernel);
  if (!kernelText) return kernelText.takeDiagnostics();
  auto kernel = openKernel(*std::move(kernelText), {request.set, "", ""});
  if (!kernel) return kernel.takeDiagnostics();
  auto constraints = openDirectives(*std::move(text), **kernel, **hw);
  if (!constraints) return constraints.takeDiagnostics();
  auto exploration =
      explore(*hw, *kernel, *constraints,
              {request.top, m_options.threads, request.mode, rerankFirst(request.top)}, m_progress);
  if (!exploration) return exploration.takeDiagnostics();
  if (auto insane = checkSanity(**exploration); !insane.empty()) return insane;
  if (cancelled()) return failure(request, "stopped");
  const std::vector<Ranked>& top = (*exploration)->top;
  if (top.empty()) return failure(request, "no mapping is feasible");
  for (const Ranked& ranked : top) {
    if (ranked.simulated) continue;
    return failure(request, "not simulated\n" + base::render(ranked.notSimulated));
  }
  const Ranked& chosen = top.front();
  const auto first = std::ranges::find(top, std::size_t{0}, &Ranked::place);
  return CaseResult{measureOf(chosen.candidate.estimate), measureOf(*chosen.simulated),
                    measureOf(*first->simulated), chosen.line};
}

base::Result<std::vector<CaseResult>> CaseRunner::runAll(const std::vector<CaseRequest>& requests) {
  std::vector<CaseResult> results;
  for (const CaseRequest& request : requests) {
    auto result = run(request);
    if (!result) return result.takeDiagnostics();
    results.push_back(*std::move(result));
  }
  return results;
}

}  // namespace gridloom::service
