// SPDX-License-Identifier: Apache-2.0
#include "simulate/use_recorder.h"

#include <algorithm>
#include <limits>

namespace gridloom::simulate {
namespace {

// Limit on rows times resources: large meshes get fewer bins.
constexpr std::size_t kMostNumbers = std::size_t{1} << 24;
constexpr std::size_t kFewestBins = 8;
constexpr std::size_t kFirstCycles = 65536;  // those that all bins asked for cover at first
// So many bins are kept for one that is asked for, within a limit on rows times resources.
constexpr std::size_t kNarrower = 16;
constexpr std::size_t kMostInNarrower = std::size_t{1} << 21;

}  // namespace

UseRecorder::UseRecorder(std::size_t resources, std::size_t most)
    : m_resources(resources),
      m_most(std::min(kMostNumbers / std::max<std::size_t>(1, resources), most) / 2 * 2),
      m_bins(m_most),
      m_least(static_cast<network::Ticks>(
                  std::max<std::size_t>(1, kFirstCycles / std::max<std::size_t>(1, most))) *
              network::kTicksPerCycle),
      m_bin(m_least) {
  for (std::size_t narrower = 1; narrower < kNarrower; narrower *= 2) {
    if (m_bin % 2 != 0 || 2 * m_bins * resources > kMostInNarrower) break;
    m_bins *= 2;
    m_bin /= 2;
  }
  m_next = m_bin;
  if (m_most >= kFewestBins) return;
  m_bins = 0;
  m_next = std::numeric_limits<network::Ticks>::max();
}

void UseRecorder::add(const Row& row) {
  m_rows.push_back(row);
  if (m_rows.size() == m_bins) merge();
  m_next = m_bin * static_cast<network::Ticks>(m_rows.size() + 1);
}

// Keeps the row at the end of every second bin.
void UseRecorder::merge() {
  for (std::size_t n = 0; 2 * n + 1 < m_rows.size(); ++n) std::swap(m_rows[n], m_rows[2 * n + 1]);
  m_rows.resize(m_rows.size() / 2);
  m_bin *= 2;
  m_next = m_bin * static_cast<network::Ticks>(m_rows.size() + 1);
}

void UseRecorder::interpolate(network::Ticks at, network::Ticks end, const Row& last,
                              Row& out) const {
  const auto bin = static_cast<std::size_t>(at / m_bin);
  const Row* left = bin == 0 ? nullptr : &m_rows[std::min(bin, m_rows.size()) - 1];
  const bool known = bin < m_rows.size();
  const Row& right = known ? m_rows[bin] : last;
  const network::Ticks begin =
      bin == 0 ? 0 : m_bin * static_cast<network::Ticks>(std::min(bin, m_rows.size()));
  const network::Ticks stop = known ? begin + m_bin : end;
  const double part =
      stop > begin ? static_cast<double>(at - begin) / static_cast<double>(stop - begin) : 1.0;
  out.resize(m_resources);
  for (std::size_t r = 0; r < m_resources; ++r) {
    const float from = left == nullptr ? 0.0F : (*left)[r];
    out[r] = from + static_cast<float>(part) * (right[r] - from);
  }
}

void UseRecorder::repeat(network::Ticks begin, network::Ticks end, std::int64_t times,
                         const Row& before, const Row& after) {
  if (!records()) return;
  const network::Ticks period = end - begin;
  const network::Ticks stop = end + times * period;
  // The period as it was recorded. Its repetitions need no bins narrower than those asked for.
  const UseRecorder recorded = *this;
  while (stop / m_bin >= static_cast<network::Ticks>(m_most)) merge();
  Row first, row(m_resources), at;
  recorded.interpolate(begin, end, before, first);
  while (m_next < stop) {
    const network::Ticks into = (m_next - end) % period;
    const auto whole = static_cast<float>((m_next - end) / period);
    recorded.interpolate(begin + into, end, before, at);
    for (std::size_t r = 0; r < m_resources; ++r) {
      const float each = (after[r] - before[r]) / static_cast<float>(times);
      const float measured = before[r] - first[r];
      const float part = measured > 0 ? (at[r] - first[r]) / measured : 0.0F;
      row[r] = before[r] + each * (whole + std::clamp(part, 0.0F, 1.0F));
    }
    add(row);
  }
}

UseRecorder::Shares UseRecorder::finish(network::Ticks end, const Row& row) const {
  if (!records()) return {};
  if (m_rows.size() >= m_most || m_bin < m_least) {
    UseRecorder wider = *this;
    wider.merge();
    return wider.finish(end, row);
  }
  Shares out{m_bin, m_rows.size(), {}};
  const network::Ticks covered = m_bin * static_cast<network::Ticks>(m_rows.size());
  const bool more = end > covered;
  if (more) ++out.bins;
  out.shares.resize(m_resources * out.bins);
  for (std::size_t b = 0; b < out.bins; ++b) {
    const bool last = more && b + 1 == out.bins;
    const Row& until = last ? row : m_rows[b];
    const auto cycles = static_cast<float>(network::inCycles(last ? end - covered : m_bin));
    for (std::size_t r = 0; r < m_resources; ++r) {
      const float use = until[r] - (b == 0 ? 0.0F : m_rows[b - 1][r]);
      out.shares[r * out.bins + b] = std::clamp(use / cycles, 0.0F, 1.0F);
    }
  }
  return out;
}

}  // namespace gridloom::simulate
