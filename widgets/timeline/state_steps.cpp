// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/state_steps.h"

#include <algorithm>

namespace gridloom::widgets {

namespace {

constexpr std::size_t kStride = 8;  // steps per sum

std::size_t indexOf(simulate::State state) { return static_cast<std::size_t>(state); }

}  // namespace

StateSteps::StateSteps(std::vector<Step> steps, std::int32_t cores)
    : m_cores(cores), m_steps(std::move(steps)) {
  Sum sum;
  sum.counts[indexOf(simulate::State::Idle)] = cores;
  m_sums.reserve(m_steps.size() / kStride + 1);
  double last = 0;
  for (std::size_t n = 0; n < m_steps.size(); ++n) {
    if (n % kStride == 0) m_sums.push_back(sum);
    const Step& step = m_steps[n];
    for (std::size_t s = 0; s < simulate::kStates; ++s)
      sum.times[s] += sum.counts[s] * (step.cycle - last);
    last = step.cycle;
    --sum.counts[indexOf(step.before)];
    ++sum.counts[indexOf(step.after)];
  }
  if (m_steps.size() % kStride == 0) m_sums.push_back(sum);
}

/// Doubles its strides from `from` on: the next column is near.
std::size_t StateSteps::indexAt(double cycle, std::size_t from) const {
  std::size_t stride = 1, end = from;
  while (end < m_steps.size() && m_steps[end].cycle <= cycle) {
    from = end + 1;
    end += stride;
    stride *= 2;
  }
  const auto first = m_steps.begin() + static_cast<std::ptrdiff_t>(from);
  const auto last = m_steps.begin() + static_cast<std::ptrdiff_t>(std::min(end, m_steps.size()));
  const auto found = std::upper_bound(
      first, last, cycle, [](double time, const Step& step) { return time < step.cycle; });
  return static_cast<std::size_t>(found - m_steps.begin());
}

StateSteps::Sum StateSteps::sumAfter(std::size_t index) const {
  const std::size_t base = index / kStride;
  Sum sum = m_sums[base];
  double last = base == 0 ? 0 : m_steps[base * kStride - 1].cycle;
  // As if no core changed its state, and then what each step corrects.
  const double until = index == 0 ? 0 : m_steps[index - 1].cycle;
  for (std::size_t s = 0; s < simulate::kStates; ++s)
    sum.times[s] += sum.counts[s] * (until - last);
  for (std::size_t n = base * kStride; n < index; ++n) {
    const Step& step = m_steps[n];
    sum.times[indexOf(step.before)] -= until - step.cycle;
    sum.times[indexOf(step.after)] += until - step.cycle;
    --sum.counts[indexOf(step.before)];
    ++sum.counts[indexOf(step.after)];
  }
  return sum;
}

StateSteps::Counts StateSteps::at(double cycle) const {
  if (m_sums.empty()) return {};
  return sumAfter(indexAt(cycle, 0)).counts;
}

void StateSteps::shares(double begin, double width,
                        std::vector<std::array<float, simulate::kStates>>& shares,
                        std::size_t columns) const {
  shares.assign(columns, {});
  if (m_cores <= 0 || m_sums.empty()) return;
  const auto cyclesAt = [&](std::size_t column) {
    return begin + width * static_cast<double>(column);
  };
  std::size_t index = indexAt(begin, 0);
  Sum now = sumAfter(index);
  const auto advance = [&](double cycle) {
    const double last = index == 0 ? 0 : m_steps[index - 1].cycle;
    for (std::size_t s = 0; s < simulate::kStates; ++s)
      now.times[s] += now.counts[s] * (cycle - last);
  };
  advance(begin);
  const double all = width * m_cores;
  for (std::size_t c = 0; c < columns; ++c) {
    const double end = cyclesAt(c + 1);
    const std::size_t next = indexAt(end, index);
    if (next == index) {
      for (std::size_t s = 0; s < simulate::kStates; ++s) {
        shares[c][s] = static_cast<float>(now.counts[s]) / static_cast<float>(m_cores);
        now.times[s] += now.counts[s] * width;
      }
      continue;
    }
    const Times before = now.times;
    index = next;
    now = sumAfter(index);
    advance(end);
    for (std::size_t s = 0; s < simulate::kStates; ++s)
      shares[c][s] = static_cast<float>((now.times[s] - before[s]) / all);
  }
}

}  // namespace gridloom::widgets
