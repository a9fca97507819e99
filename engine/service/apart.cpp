// SPDX-License-Identifier: Apache-2.0
#include "service/apart.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

#include "cost/model.h"
#include "kernel/parts.h"
#include "syntax/kernel_printer.h"
#include "timing/op_cycles.h"

namespace gridloom::service {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

base::Result<KernelRef> openPrinted(const kernel::Kernel& part) {
  return openKernel(base::makeSource(part.name + ".rec", syntax::printKernels({{part}, {}})), {});
}

const kernel::Loop* loopNamed(const kernel::Kernel& kernel, const std::string& name) {
  const auto found = std::ranges::find(kernel.loops, name, &kernel::Loop::name);
  return found == kernel.loops.end() ? nullptr : &*found;
}

/// Declares ranges that statements outside the part gave the loops of the whole.
bool declareRanges(kernel::Kernel& part, const kernel::Kernel& opened) {
  bool changed = false;
  for (kernel::Loop& loop : part.loops) {
    const kernel::Loop* found = loopNamed(opened, loop.name);
    if (found == nullptr || found->extent == loop.extent) continue;
    loop.declared = loop.extent;
    loop.declaredSpelling.clear();
    changed = true;
  }
  return changed;
}

/// A part between two cuts: what its mapping takes, at first by its bound.
struct Piece {
  KernelRef kernel;
  double cycles = kNever;
  bool searched = false;
};

/// What is left of the seconds that all searches may take together; 0: no limit.
class TimeLeft {
 public:
  explicit TimeLeft(double seconds) : m_seconds(seconds) {}
  double seconds() const {
    if (m_seconds <= 0) return 0;
    const std::chrono::duration<double> passed = Clock::now() - m_begin;
    return std::max(kNone, m_seconds - passed.count());
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kNone = 1e-9;  ///< a search with this limit ends at once
  double m_seconds;
  Clock::time_point m_begin = Clock::now();
};

/// The shortest way from the first to the last statement through cuts.
class FastestPieces {
 public:
  FastestPieces(HardwareRef hardware, const kernel::Kernel& kernel, std::vector<std::size_t> places,
                std::int64_t work, const ExploreOptions& options, const TimeLeft& time,
                base::Progress& progress)
      : m_hardware(std::move(hardware)),
        m_kernel(kernel),
        m_places(std::move(places)),
        m_options(options),
        m_time(time),
        m_work(work),
        m_leastWork(std::max<std::int64_t>(1, work / kMostPieces)),
        m_progress(progress) {}

  /// The kernels of the fastest way below `limit`; empty if there is none.
  std::vector<KernelRef> find(double limit) {
    for (;;) {
      const std::vector<Piece*> way = shortest();
      double cycles = 0;
      for (const Piece* piece : way) cycles += piece->cycles;
      if (way.empty() || !(cycles < limit) || m_progress.cancelled()) return {};
      const auto open = std::ranges::find(way, false, &Piece::searched);
      if (open != way.end()) {
        search(**open, std::ranges::count(way, false, &Piece::searched));
        continue;
      }
      std::vector<KernelRef> kernels;
      for (const Piece* piece : way) kernels.push_back(piece->kernel);
      return kernels;
    }
  }

 private:
  Piece& between(std::size_t from, std::size_t to) {
    const auto [at, added] = m_pieces.try_emplace({from, to});
    if (added) bound(at->second, m_places[from], m_places[to]);
    return at->second;
  }

  void bound(Piece& piece, std::size_t begin, std::size_t end) const {
    auto opened = openPart(m_kernel, begin, end);
    if (!opened || !(*opened)->nest) return;
    piece.kernel = fitted(*std::move(opened), *m_hardware);
    const hardware::Topology& hw = m_hardware->topology;
    const kernel::TileNest& nest = *piece.kernel->nest;
    const auto compute = hw.compute(m_options.mode, timing::operandBits(nest));
    if (compute) piece.cycles = cost::roofline(piece.kernel->kernel, nest, hw, *compute).cycles;
  }

  // The others of the way need a share of the work, too.
  void search(Piece& piece, std::int64_t open) {
    ExploreOptions options = m_options;
    options.top = 1;
    options.rerank = {};
    options.apart = false;
    options.onImproved = {};
    options.search.seconds = m_time.seconds();
    options.search.work = m_work > 0 ? std::max(m_work / open, m_leastWork) : 0;
    const auto found = explore(m_hardware, piece.kernel, {}, options, m_progress);
    const bool mapped = found && !(*found)->top.empty();
    piece.cycles = mapped ? (*found)->top.front().cycles() : kNever;
    piece.searched = true;
    if (found && m_work > 0) m_work = std::max(m_leastWork, m_work - (*found)->space.work);
  }

  // At least two pieces: the whole kernel is not one of them.
  std::vector<Piece*> shortest() {
    const std::size_t last = m_places.size() - 1;
    std::vector<double> least(last + 1, kNever);
    std::vector<std::size_t> before(last + 1, last);
    least[0] = 0;
    for (std::size_t to = 1; to <= last; ++to) {
      for (std::size_t from = 0; from < to; ++from) {
        if ((from == 0 && to == last) || least[from] == kNever) continue;
        const double cycles = least[from] + between(from, to).cycles;
        if (cycles < least[to]) {
          least[to] = cycles;
          before[to] = from;
        }
      }
    }
    std::vector<Piece*> way;
    if (least[last] == kNever) return way;
    for (std::size_t to = last; to != 0; to = before[to]) way.push_back(&between(before[to], to));
    std::ranges::reverse(way);
    return way;
  }

  HardwareRef m_hardware;
  const kernel::Kernel& m_kernel;
  std::vector<std::size_t> m_places;
  const ExploreOptions& m_options;
  const TimeLeft& m_time;
  static constexpr std::int64_t kMostPieces = 64;
  std::int64_t m_work;       ///< limit of all searches together, about; 0: unlimited
  std::int64_t m_leastWork;  ///< of one search
  base::Progress& m_progress;
  std::map<std::pair<std::size_t, std::size_t>, Piece> m_pieces;
};

std::vector<std::size_t> placesOf(const kernel::Kernel& kernel, bool anywhere) {
  std::vector<std::size_t> places{0};
  for (const kernel::Cut& cut : kernel::cutsOf(kernel)) {
    if (anywhere || cut.chain) places.push_back(cut.before);
  }
  places.push_back(kernel.asWritten().statements.size());
  return places;
}

}  // namespace

base::Result<KernelRef> openPart(const kernel::Kernel& kernel, std::size_t begin, std::size_t end) {
  kernel::Kernel part = kernel::partOf(kernel, begin, end);
  auto opened = openPrinted(part);
  if (!opened || !declareRanges(part, (*opened)->kernel)) return opened;
  return openPrinted(part);
}

std::optional<base::Result<KernelRef>> openPart(const kernel::Kernel& kernel,
                                                const std::string& name) {
  const std::vector<std::size_t> places = placesOf(kernel, true);
  for (std::size_t from = 0; from + 1 < places.size(); ++from) {
    for (std::size_t to = from + 1; to < places.size(); ++to) {
      if (kernel::partName(kernel, places[from], places[to]) == name) {
        return openPart(kernel, places[from], places[to]);
      }
    }
  }
  return std::nullopt;
}

std::vector<std::string> pieceNames(const kernel::Kernel& kernel) {
  const std::vector<std::size_t> places = placesOf(kernel, true);
  std::vector<std::string> names;
  for (std::size_t p = 1; places.size() > 2 && p < places.size(); ++p) {
    names.push_back(kernel::partName(kernel, places[p - 1], places[p]));
  }
  return names;
}

std::optional<Apart> exploreApart(const HardwareRef& hardware, const kernel::Kernel& kernel,
                                  const Cutting& cutting, const ExploreOptions& options,
                                  base::Progress& progress) {
  std::vector<std::size_t> places = placesOf(kernel, cutting.anywhere);
  if (places.size() < 3) return std::nullopt;
  const TimeLeft time(options.search.seconds);
  FastestPieces pieces(hardware, kernel, std::move(places), cutting.work, options, time, progress);
  ExploreOptions each = options;
  each.apart = false;
  each.onImproved = {};
  if (cutting.work > 0 && (each.search.work == 0 || each.search.work > cutting.work)) {
    each.search.work = cutting.work;
  }
  Apart apart;
  apart.simulated = true;
  for (KernelRef& part : pieces.find(cutting.limit)) {
    each.search.seconds = time.seconds();
    auto found = explore(hardware, std::move(part), {}, each, progress);
    if (!found || (*found)->top.empty()) return std::nullopt;
    const ranking::Ranked& best = (*found)->top.front();
    apart.cycles += best.cycles();
    apart.simulated = apart.simulated && best.simulated;
    apart.parts.push_back(*std::move(found));
  }
  if (apart.parts.empty() || !(apart.cycles < cutting.limit)) return std::nullopt;
  return apart;
}

}  // namespace gridloom::service
