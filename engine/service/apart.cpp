// SPDX-License-Identifier: Apache-2.0
#include "service/apart.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "cost/model.h"
#include "service/faster_form.h"
#include "service/fit.h"
#include "service/search_budget.h"
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

/// Declares ranges that statements outside the part gave the loops of the whole; all, where the
/// part could not be opened. False if there are none.
bool declareRanges(kernel::Kernel& part, const Kernel* opened) {
  bool changed = false;
  for (kernel::Loop& loop : part.loops) {
    const kernel::Loop* found = opened ? loopNamed(opened->kernel, loop.name) : nullptr;
    if (opened ? found == nullptr || found->extent == loop.extent : loop.declared > 0) continue;
    loop.declared = loop.extent;
    loop.declaredSpelling.clear();
    changed = true;
  }
  return changed;
}

/// What a search for few loops leaves of its share of the work is for those that follow.
std::size_t loopsOf(const Kernel& kernel) { return kernel.kernel.loops.size(); }

/// A part between two cuts: what its mapping takes, at first by its bound.
struct Piece {
  KernelRef kernel;
  double cycles = kNever;
  bool searched = false;
};

/// The pieces from the first to the last statement that take the fewest cycles together. Bounds
/// exclude most pieces before they are searched.
class FastestPieces {
 public:
  FastestPieces(HardwareRef hardware, const kernel::KernelParts& parts,
                std::vector<std::size_t> places, WorkLeft& work, const ExploreOptions& options,
                const TimeLeft& time, base::Progress& progress)
      : m_hardware(std::move(hardware)),
        m_parts(parts),
        m_places(std::move(places)),
        m_options(options),
        m_time(time),
        m_work(work),
        m_progress(progress) {}

  /// The kernels of the fastest pieces below `limit`; empty if there are none.
  std::vector<KernelRef> find(double limit) {
    m_isOnlyWay = m_places.size() == 3 && limit == kNever;
    for (;;) {
      const std::vector<Piece*> pieces = fastest();
      double cycles = 0;
      for (const Piece* piece : pieces) cycles += piece->cycles;
      if (pieces.empty() || !(cycles < limit) || m_progress.cancelled()) return {};
      std::vector<Piece*> open;
      std::ranges::remove_copy_if(pieces, std::back_inserter(open), &Piece::searched);
      if (!open.empty()) {
        Piece* first = *std::ranges::min_element(
            open, {}, [](const Piece* piece) { return loopsOf(*piece->kernel); });
        search(*first, static_cast<std::int64_t>(open.size()));
        continue;
      }
      std::vector<KernelRef> kernels;
      for (const Piece* piece : pieces) kernels.push_back(piece->kernel);
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
    auto opened = openPart(m_parts, begin, end);
    if (!opened || !(*opened)->nest) return;
    piece.kernel = fitted(*std::move(opened), *m_hardware);
    piece.cycles = leastCycles(*piece.kernel);
    const auto other = otherForm(piece.kernel, *m_hardware);
    if (other) piece.cycles = std::min(piece.cycles, leastCycles(**other));
  }

  double leastCycles(const Kernel& form) const {
    const hardware::Topology& hw = m_hardware->topology;
    const auto compute = hw.compute(m_options.mode, timing::operandBits(*form.nest));
    return compute ? cost::roofline(form.kernel, *form.nest, hw, *compute).cycles : kNever;
  }

  // A bound is no mapping: once the work is spent, only pieces that were searched count.
  double cyclesOf(const Piece& piece) const {
    return m_work.spent() && !piece.searched ? kNever : piece.cycles;
  }

  /// `open`: pieces to search, this one among them, that share the work left.
  void search(Piece& piece, std::int64_t open) {
    ExploreOptions options = m_options;
    options.top = 1;
    options.rerank = {};
    options.apart = false;
    options.onImproved = {};
    options.search.seconds = m_time.seconds();
    options.search.work = m_work.share(open);
    const auto fit = service::fit(
        piece.kernel, *m_hardware,
        {.mode = options.mode, .threads = options.threads, .search = options.search}, m_progress);
    const double bound = std::exchange(piece.cycles, kNever);
    piece.searched = true;
    if (!fit) return;
    piece.kernel = fit->kernel;
    m_work.take(options.search.work - fit->left.work);
    // The search that chose a form has found what this one would.
    if (fit->cycles || m_isOnlyWay) {
      piece.cycles = fit->cycles.value_or(bound);
      return;
    }
    options.search = fit->left;
    const auto found = explore(m_hardware, piece.kernel, {}, options, m_progress);
    if (found && !(*found)->top.empty()) piece.cycles = (*found)->top.front().cycles();
    if (found) m_work.take((*found)->space.work);
  }

  // At least two pieces: the whole kernel is not one of them.
  std::vector<Piece*> fastest() {
    const std::size_t last = m_places.size() - 1;
    std::vector<double> least(last + 1, kNever);
    std::vector<std::size_t> before(last + 1, last);
    least[0] = 0;
    for (std::size_t to = 1; to <= last; ++to) {
      for (std::size_t from = 0; from < to; ++from) {
        if ((from == 0 && to == last) || least[from] == kNever) continue;
        const double cycles = least[from] + cyclesOf(between(from, to));
        if (cycles < least[to]) {
          least[to] = cycles;
          before[to] = from;
        }
      }
    }
    std::vector<Piece*> pieces;
    if (least[last] == kNever) return pieces;
    for (std::size_t to = last; to != 0; to = before[to]) {
      pieces.push_back(&between(before[to], to));
    }
    std::ranges::reverse(pieces);
    return pieces;
  }

  HardwareRef m_hardware;
  const kernel::KernelParts& m_parts;
  std::vector<std::size_t> m_places;
  const ExploreOptions& m_options;
  const TimeLeft& m_time;
  WorkLeft& m_work;
  base::Progress& m_progress;
  bool m_isOnlyWay = false;  ///< there is one cut, and nothing to be faster than
  std::map<std::pair<std::size_t, std::size_t>, Piece> m_pieces;
};

/// Of two limits of work; 0: unlimited.
std::int64_t stricter(std::int64_t a, std::int64_t b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

std::vector<std::size_t> placesOf(const kernel::KernelParts& parts, bool anywhere) {
  std::vector<std::size_t> places{0};
  for (const kernel::Cut& cut : parts.cuts()) {
    if (anywhere || cut.chain) places.push_back(cut.before);
  }
  places.push_back(parts.statements());
  return places;
}

}  // namespace

base::Result<KernelRef> openPart(const kernel::KernelParts& parts, std::size_t begin,
                                 std::size_t end) {
  kernel::Kernel part = parts.part(begin, end);
  auto opened = openPrinted(part);
  if (!declareRanges(part, opened ? opened->get() : nullptr)) return opened;
  return openPrinted(part);
}

std::optional<base::Result<KernelRef>> openPart(const kernel::Kernel& kernel,
                                                const std::string& name) {
  const kernel::KernelParts parts(kernel);
  const std::vector<std::size_t> places = placesOf(parts, true);
  for (std::size_t from = 0; from + 1 < places.size(); ++from) {
    for (std::size_t to = from + 1; to < places.size(); ++to) {
      if (parts.name(places[from], places[to]) == name) {
        return openPart(parts, places[from], places[to]);
      }
    }
  }
  return std::nullopt;
}

std::vector<std::string> pieceNames(const kernel::Kernel& kernel) {
  const kernel::KernelParts parts(kernel);
  const std::vector<std::size_t> places = placesOf(parts, true);
  std::vector<std::string> names;
  for (std::size_t p = 1; places.size() > 2 && p < places.size(); ++p) {
    names.push_back(parts.name(places[p - 1], places[p]));
  }
  return names;
}

std::optional<Apart> exploreApart(const HardwareRef& hardware, const kernel::Kernel& kernel,
                                  const Cutting& cutting, const ExploreOptions& options,
                                  base::Progress& progress) {
  const kernel::KernelParts whole(kernel);
  std::vector<std::size_t> places = placesOf(whole, cutting.anywhere);
  if (places.size() < 3) return std::nullopt;
  const TimeLeft time(options.search.seconds);
  WorkLeft work(stricter(options.search.work, cutting.work));
  WorkLeft choosing(work.share(2));  // the other half is for the parts chosen
  FastestPieces pieces(hardware, whole, std::move(places), choosing, options, time, progress);
  std::vector<KernelRef> parts = pieces.find(cutting.expected);
  work.take(choosing.done());
  ExploreOptions each = options;
  each.apart = false;
  each.onImproved = {};
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t p) { return loopsOf(*parts[p]); });
  Apart apart;
  apart.simulated = true;
  apart.parts.resize(parts.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    each.search.seconds = time.seconds();
    each.search.work = work.share(static_cast<std::int64_t>(order.size() - n));
    auto found = explore(hardware, std::move(parts[order[n]]), {}, each, progress);
    if (!found || (*found)->top.empty()) return std::nullopt;
    work.take((*found)->space.work);
    const ranking::Ranked& best = (*found)->top.front();
    apart.cycles += best.cycles();
    apart.simulated = apart.simulated && best.simulated;
    apart.parts[order[n]] = *std::move(found);
  }
  if (apart.parts.empty() || !(apart.cycles < cutting.limit)) return std::nullopt;
  return apart;
}

}  // namespace gridloom::service
