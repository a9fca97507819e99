// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "sweep/parameters.h"

namespace gridloom::sweep {

/// What was found, by the meaning of the inputs, so that a wider range computes its new points
/// only. Shared between threads; it forgets all when it holds a hundred thousand points.
class KnownPoints {
 public:
  std::optional<SweepFound> find(const std::string& meaning) const;
  void keep(const std::string& meaning, const SweepFound& found);

 private:
  mutable std::mutex m_mutex;
  std::map<std::string, SweepFound> m_found;
};

struct ExplorerOptions {
  ranking::Reranking rerank = {};         ///< as service::ExploreOptions
  service::SimulationLimits limits = {};  ///< of each simulation
};

/// Finds the best mapping at one point of a sweep after the other, each as `explore` finds it.
class Explorer {
 public:
  /// `known`: where points are looked up and kept; null: nowhere.
  Explorer(service::InputTexts texts, std::vector<SweepAxis> axes, ExplorerOptions options,
           std::shared_ptr<KnownPoints> known);

  struct Step {
    SweepFound found;
    bool computed = false;  ///< else it was known
  };
  /// Nothing where it was cancelled. What a point lacks, memory for example, is its failure and
  /// does not end the others. Within `seconds`, as SearchLimits; 0: unlimited.
  std::optional<Step> at(const SweepPoint& point, base::Progress& progress, double seconds = 0);

 private:
  SweepFound explored(const service::CheckedInputs& checked, base::Progress& progress) const;

  service::InputTexts m_texts;
  std::vector<SweepAxis> m_axes;
  ExplorerOptions m_options;
  std::shared_ptr<KnownPoints> m_known;
  service::OpenedHardware m_hardware;  ///< of the point before
};

/// The sweep of these inputs, with what does not vary; no point is known yet. `kernel`: that of the
/// inputs.
report::SweepRecord sweepOf(const service::InputTexts& texts, const kernel::Kernel& kernel,
                            bool simulated, std::vector<SweepAxis> axes);

/// A sweep as `gridloom sweep --json` wrote it.
base::Result<report::SweepRecord> openSweep(base::SourceRef text);

}  // namespace gridloom::sweep
