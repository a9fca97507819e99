// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/progress.h"

namespace gridloom::cli {

/// Draws the progress on stderr during its lifetime if stderr is a terminal; otherwise it does
/// nothing.
class ProgressBar {
 public:
  ProgressBar(const base::Progress& progress, std::string label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void run();
  void draw() const;

  const base::Progress& m_progress;
  std::string m_label;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  bool m_done = false;
  std::thread m_thread;
};

}  // namespace gridloom::cli
