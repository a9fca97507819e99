// SPDX-License-Identifier: Apache-2.0
#include "progress_bar.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "terminal.h"

namespace gridloom::cli {

namespace {

constexpr int kWidth = 30;
constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

ProgressBar::ProgressBar(const base::Progress& progress, std::string label)
    : m_progress(progress), m_label(std::move(label)) {
  if (stderrIsTerminal()) m_thread = std::thread([this] { run(); });
}

ProgressBar::~ProgressBar() {
  if (!m_thread.joinable()) return;
  {
    const std::lock_guard lock(m_mutex);
    m_done = true;
  }
  m_wake.notify_one();
  m_thread.join();
  std::fputs("\r\033[K", stderr);
}

void ProgressBar::run() {
  std::unique_lock lock(m_mutex);
  while (!m_wake.wait_for(lock, kInterval, [this] { return m_done; })) draw();
}

void ProgressBar::draw() const {
  const auto total = static_cast<double>(m_progress.total());
  const double share =
      total > 0 ? std::clamp(static_cast<double>(m_progress.done()) / total, 0.0, 1.0) : 0;
  const auto filled = static_cast<std::size_t>(share * kWidth);
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::fprintf(stderr, "\r\033[K%s [%s] %3.0f%%", m_label.c_str(), bar.c_str(), share * 100);
}

}  // namespace gridloom::cli
