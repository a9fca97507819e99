// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "cost/evaluate.h"
#include "cost/evaluator.h"
#include "cost/model.h"
#include "mapping/all_reduce.h"
#include "timing/op_cycles.h"

namespace gridloom::cost {

namespace {

// Sums terms by name, in the order of first use.
class Ledger {
 public:
  void add(const std::string& name, double cycles) {
    if (cycles <= 0) return;
    const auto at =
        std::find_if(m_terms.begin(), m_terms.end(), [&](const Term& t) { return t.name == name; });
    if (at != m_terms.end()) {
      at->cycles += cycles;
    } else {
      m_terms.push_back({name, cycles});
    }
  }
  void raise(const std::string& name, double cycles) {
    const auto at =
        std::find_if(m_terms.begin(), m_terms.end(), [&](const Term& t) { return t.name == name; });
    if (at == m_terms.end()) {
      add(name, cycles);
    } else {
      at->cycles = std::max(at->cycles, cycles);
    }
  }
  std::vector<Term> take() { return std::move(m_terms); }

 private:
  std::vector<Term> m_terms;
};

struct TermObserver {
  Ledger& ledger;
  const traffic::TrafficPatterns& patterns;
  const TiledCandidate& candidate;
  const kernel::Kernel& kernel;
  std::string bottleneck;  ///< of the levels so far
  std::vector<LevelTime> levels = {};

  std::size_t busiest(const double* busy) const {
    return static_cast<std::size_t>(std::max_element(busy, busy + patterns.resourceCount()) - busy);
  }
  std::string nameOf(Limit limit, const double* busy) const {
    switch (limit) {
    case Limit::Dma:
      return "dma channels";
    case Limit::Row:
      return patterns.resourceNames()[busiest(busy)];
    case Limit::Inside:
    case Limit::Chain:
      break;
    }
    return "transfer";
  }
  void level(const LevelNow& now, double ended) {
    // A level that adds nothing has the bottleneck of the level inside.
    if (now.limit != Limit::Inside) {
      bottleneck = nameOf(now.limit, now.busy);
    } else if (now.inside - now.before > now.before) {
      bottleneck = "transfer";
    }
    const auto at = static_cast<std::size_t>(now.level);
    const std::size_t row = busiest(now.busy);
    levels.push_back({kernel.loop(candidate.mapping.order[at - 1]).name, candidate.iterations[at],
                      now.before, ended, bottleneck, patterns.resourceNames()[row], now.busy[row]});
  }
  void waited(double cycles) { ledger.add("transfer", cycles); }
  void excess(double cycles, Limit limit, const double* busy) {
    ledger.add(nameOf(limit, busy), cycles);
  }
  void fill(double cycles) { ledger.add("fill", cycles); }
  void drain(double cycles) { ledger.add("drain", cycles); }
};

std::vector<Term> busyTimes(const TiledCandidate& s, std::span<const LoadedCost> costs) {
  Ledger ledger;
  ledger.add("matrix", s.compute.matrix);
  ledger.add("vector", s.compute.vector);
  std::vector<double> rows(s.patterns->resourceCount(), 0.0);
  for (const LoadedCost& o : costs) accumulate(rows.data(), *o.cost, o.cost->weight, rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    ledger.raise(s.patterns->resourceNames()[r], rows[r]);
  return ledger.take();
}

// The busiest resource, as long as it is busy half the time; else the largest term. A resource that
// is busier than the compute units decides even if most of its time is hidden behind compute.
std::string bottleneckOf(const Estimate& e) {
  std::string name;
  double matrix = 0, vector = 0, busiest = 0;
  for (const Term& term : e.busy) {
    if (term.name == "matrix") matrix = term.cycles;
    if (term.name == "vector") vector = term.cycles;
    const bool compute = term.name == "matrix" || term.name == "vector";
    const double cycles = compute ? matrix + vector : term.cycles;
    if (cycles <= busiest) continue;
    busiest = cycles;
    name = compute ? (matrix >= vector ? "matrix" : "vector") : term.name;
  }
  if (2 * busiest >= e.cycles) return name;
  const auto top = std::ranges::max_element(e.terms, {}, &Term::cycles);
  return top == e.terms.end() ? name : top->name;
}

std::int64_t activeCores(const TiledCandidate& s) {
  std::int64_t cores = 1;
  for (const mapping::LoopTiling& l : s.tiling.loops) cores *= std::min(l.unroll, l.tiles);
  return cores;
}

// Bytes are counts; averages over cores, waves and channels need not be whole.
hardware::Traffic counted(const hardware::Traffic& t) {
  return {std::round(t.dramRead), std::round(t.dramWrite), std::round(t.network),
          std::round(t.localWrite), std::round(t.localRead)};
}

void add(hardware::Traffic& to, const hardware::Traffic& more) {
  to.dramRead += more.dramRead;
  to.dramWrite += more.dramWrite;
  to.network += more.network;
  to.localWrite += more.localWrite;
  to.localRead += more.localRead;
}

}  // namespace

hardware::Traffic Evaluator::traffic(std::span<const LoadedCost> costs) {
  hardware::Traffic t;
  for (const LoadedCost& movement : costs) {
    const FlatCost& o = *movement.cost;
    const traffic::Pattern& p = *o.pattern;
    const double bytes = o.weight / o.longer;
    (o.isStore ? t.dramWrite : t.dramRead) += bytes * p.transfers;
    // A store's partial results are a multiple of what it counts as bytes; a load's passes are not.
    const double more = (o.isStore ? o.partial * o.longer : o.partial) - 1;
    t.network += bytes * (p.network + more * p.partialNetwork);
    t.localWrite += bytes * (p.localIn + more * p.partialIn);
    t.localRead += bytes * (p.localOut + more * p.partialOut);
  }
  return t;
}

double Evaluator::transfers(std::span<const LoadedCost> costs) {
  double count = 0;
  for (const LoadedCost& o : costs) count += o.cost->issues * o.cost->repeat;
  return count;
}

Estimate Evaluator::explain(const TiledCandidate& s, std::span<const MovementCost> costs) const {
  const FlatCosts flat(*s.patterns, costs, m_terms);
  const std::span<const LoadedCost> all = flat.all();
  Ledger ledger;
  ledger.add("matrix", s.compute.matrix);
  double vector = s.compute.vector;
  for (const MovementCost& o : costs) {
    if (const auto* store = std::get_if<Store>(&o.kind)) {
      vector += store->reduction;
      ledger.add("transfer", store->exchange);
    } else if (const auto* reduce = std::get_if<AllReduce>(&o.kind)) {
      vector += reduce->reduction;
      ledger.add("all-reduce", reduce->exchange);
    }
  }
  ledger.add("vector", vector);
  Scratch scratch;
  TermObserver observer{ledger, *s.patterns, s, m_kernel,
                        s.compute.matrix >= vector ? "matrix" : "vector"};
  Estimate e;
  e.cycles = evaluate(s, all, scratch, observer);
  const double waits = waiting(s, all, e.cycles);
  ledger.add("dependence", waits);
  e.cycles += waits;
  ledger.add("launch", m_hw.launch());
  e.terms = ledger.take();
  e.levels = std::move(observer.levels);
  e.busy = busyTimes(s, all);
  e.bottleneck = bottleneckOf(e);
  e.transfers = transfers(all);
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (!all[i].cost->continues) e.operands.emplace_back();
    add(e.operands.back(), traffic(all.subspan(i, 1)));
  }
  e.localBytes = mapping::localMemoryBytes(m_nest, s.mapping, s.tiling, m_hw);
  for (std::size_t k = 0; k < m_hw.sharedBuffers().size(); ++k) {
    e.sharedBuffers.push_back({m_hw.sharedBuffer(k).name,
                               mapping::sharedBufferBytes(k, m_nest, s.mapping, s.tiling, m_hw),
                               m_hw.sharedBuffer(k).bytes});
  }
  for (hardware::Traffic& operand : e.operands) {
    operand = counted(operand);
    add(e.traffic, operand);
  }
  e.localCapacity = m_hw.local().bytes;
  e.activeCores = activeCores(s);
  e.flops = m_flops;
  const double peak = m_compute.peakFlops();
  e.utilization = e.flops / (peak * static_cast<double>(m_hw.enabledCores()) * e.cycles);
  if (m_hw.clock() > 0) {
    e.seconds = e.cycles / m_hw.clock();
    e.tflops = e.flops / e.seconds / 1e12;
  }
  return e;
}

Estimate Evaluator::estimate(const mapping::Mapping& mapping, RecentWalks* walks) const {
  const TiledCandidate s = candidate(mapping);
  if (!s.patterns->complete()) return {};
  if (!walks) return explain(s, costsOf(s));
  s.walk = walks->find(mapping);
  Estimate estimate = explain(s, costsOf(s));
  walks->keep(mapping, s.walk);
  return estimate;
}

Estimate estimate(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                  const hardware::Topology& hw, const hardware::ComputeModel& compute,
                  const mapping::Mapping& mapping, const base::Progress* progress, TermSet terms) {
  traffic::WantedPatterns wanted;
  for (const mapping::InputMovement& input : mapping.inputs) wanted.add(input);
  for (const mapping::OutputMovement& output : mapping.outputs) wanted.add(output);
  for (const mapping::ReductionTopology how : mapping.allReduces) wanted.add(how);
  Evaluator evaluator(kernel, nest, hw, compute, progress, traffic::LayoutScope::Every, terms);
  evaluator.restrictTo(std::move(wanted));
  return evaluator.estimate(mapping);
}

namespace {

/// Cycles of the tensors' compulsory bytes at all channels' full bandwidth.
double compulsoryCycles(const kernel::Kernel& kernel, const hardware::GlobalMemory& global,
                        std::span<const kernel::TensorId> resident) {
  double read = 0, written = 0;
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const auto id = kernel::TensorId::of(t);
    if (std::ranges::find(resident, id) != resident.end()) continue;
    const bool output = kernel.tensors[t].role == kernel::TensorRole::Output;
    (output ? written : read) += static_cast<double>(kernel::compulsoryBytes(kernel, id).value);
  }
  const auto channels = static_cast<double>(global.channels);
  read /= global.readBandwidth * channels;
  written /= global.writeBandwidth * channels;
  return global.duplex ? std::max(read, written) : read + written;
}

}  // namespace

Roofline roofline(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                  const hardware::Topology& hw, const hardware::ComputeModel& compute,
                  std::span<const kernel::TensorId> resident) {
  std::vector<std::int64_t> extents;
  for (const kernel::Loop& loop : kernel.loops) extents.push_back(loop.extent);
  // At best the units overlap, each at its peak on all cores.
  double matrix = 0, vector = 0;
  for (const kernel::TileOp& op : nest.ops) {
    if (!op.useful) continue;
    const double flops = kernel::flops(op, extents);
    if (op.unit == kernel::UnitKind::Matrix) {
      const bool onVector = op.pinned == kernel::UnitKind::Vector || compute.matrixSustained <= 0;
      (onVector ? vector : matrix) += flops / std::max(timing::productRate(op, compute), 1e-30);
    } else if (const double rate = compute.vectorRate(kernel::nameOf(op.fn)); rate > 0) {
      vector += flops / rate;
    }
  }
  // Where guards leave out operations, only the kernel's own flops are certain.
  if (std::ranges::any_of(nest.ops, [](const auto& op) { return !op.guard.always(); })) {
    matrix = kernel::flopCount(kernel) / std::max(compute.matrixPeak + compute.vectorPeak(), 1e-30);
    vector = 0;
  }
  Roofline r;
  r.computeCycles = std::max(matrix, vector) / static_cast<double>(hw.enabledCores());
  r.memoryCycles = compulsoryCycles(kernel, hw.global(), resident);
  r.cycles = std::max(r.computeCycles, r.memoryCycles);
  return r;
}

}  // namespace gridloom::cost
