// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "service/reproduce.h"
#include "service/workspace.h"

namespace gridloom::service {

/// One point of a study: a kernel of some size on a hardware, under directives of bench/cases.
struct CaseRequest {
  std::string hardware;
  std::string kernel;
  std::vector<std::pair<std::string, std::int64_t>> set;
  std::string directives;  ///< "": the whole space
  std::string mode;
  int top = 1;  ///< candidates that are simulated; the fastest of them stands for the case
  /// Blocks of loops that the directives leave open.
  std::vector<std::pair<std::string, std::int64_t>> tileSizes = {};
  friend auto operator<=>(const CaseRequest&, const CaseRequest&) = default;
};

/// "4096x4096x256": the sizes of a case.
std::string sizesText(const CaseRequest& request);

struct Measure {
  double cycles = 0;
  double tflops = 0;  ///< 0 without a clock
  double utilization = 0;
  double dramBytes = 0;
  double computing = 0;    ///< share of the time that cores with work compute; simulated only
  double balance = 0;      ///< least over most computing time of a core; simulated only
  std::string waits = {};  ///< the state in which cores wait most; simulated only
  std::vector<double> busy = {};  ///< share of the time each core computes; simulated only
};

struct CaseResult {
  Measure predicted;  ///< of the same mapping as `simulated`
  Measure simulated;
  Measure firstSimulated;  ///< of the mapping that the model ranks first
  std::string mapping;     ///< in one line
};

/// Runs cases, each once, with every hardware and every baseline read once.
class CaseRunner {
 public:
  CaseRunner(const ReproduceOptions& options, base::Progress& progress)
      : m_options(options), m_progress(progress) {}

  /// Error: no mapping is feasible.
  base::Result<CaseResult> run(const CaseRequest& request);
  /// In order; the first failure ends it.
  base::Result<std::vector<CaseResult>> runAll(const std::vector<CaseRequest>& requests);
  base::Result<HardwareRef> hardware(const std::string& name);
  /// From now on, `name` is this hardware.
  void add(const std::string& name, HardwareRef hardware) {
    m_hardware.insert_or_assign(name, std::move(hardware));
  }
  const ReproduceOptions& options() const { return m_options; }
  base::Progress& progress() { return m_progress; }
  bool cancelled() const { return m_progress.cancelled(); }

 private:
  base::Result<base::SourceRef> directives(const std::string& name);
  base::Result<CaseResult> runReranked(const CaseRequest& request);

  const ReproduceOptions& m_options;
  base::Progress& m_progress;
  std::map<std::string, HardwareRef> m_hardware;
  std::map<std::string, base::SourceRef> m_directives;
  std::map<CaseRequest, CaseResult> m_results;
};

}  // namespace gridloom::service
