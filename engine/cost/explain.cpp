// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "cost/evaluator.h"
#include "cost/model.h"
#include "cost/recursion.h"
#include "mapping/all_reduce.h"

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

  std::string nameOf(Limit limit, std::size_t row) const {
    if (limit == Limit::Dma) return "dma channels";
    if (limit == Limit::Channel) return "dram";
    return limit == Limit::Row ? patterns.resourceNames()[row] : "transfer";
  }
  void level(const LevelSeen& seen) {
    // A level that adds nothing has the bottleneck of the level inside.
    if (seen.limit != Limit::Inside) {
      bottleneck = nameOf(seen.limit, detail::largest(seen.busy, patterns.resourceCount()));
    } else if (seen.waited > seen.before) {
      bottleneck = "transfer";
    }
    const auto at = static_cast<std::size_t>(seen.level);
    const std::size_t row = detail::largest(seen.busy, patterns.resourceCount());
    levels.push_back({kernel.loop(candidate.mapping.order[at - 1]).name, candidate.iterations[at],
                      seen.before, seen.after, bottleneck, patterns.resourceNames()[row],
                      seen.busy[row]});
  }
  void waited(double cycles) { ledger.add("transfer", cycles); }
  void excess(double cycles, Limit limit, std::size_t row) {
    ledger.add(nameOf(limit, row), cycles);
  }
  void fill(double cycles) { ledger.add("fill", cycles); }
  void drain(double cycles) { ledger.add("drain", cycles); }
};

std::vector<Term> busyTimes(const TiledCandidate& s, std::span<const MovementCost* const> options) {
  Ledger ledger;
  ledger.add("matrix", s.compute.matrix);
  ledger.add("vector", s.compute.vector);
  std::vector<double> rows(s.patterns->resourceCount(), 0.0);
  for (const MovementCost* o : options) accumulate(rows.data(), *o, o->weight, rows.size());
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
Traffic counted(const Traffic& t) {
  return {std::round(t.dramRead), std::round(t.dramWrite), std::round(t.network),
          std::round(t.localWrite), std::round(t.localRead)};
}

void add(Traffic& to, const Traffic& more) {
  to.dramRead += more.dramRead;
  to.dramWrite += more.dramWrite;
  to.network += more.network;
  to.localWrite += more.localWrite;
  to.localRead += more.localRead;
}

}  // namespace

Traffic Evaluator::traffic(std::span<const MovementCost* const> options) {
  Traffic t;
  for (const MovementCost* o : options) {
    const traffic::Pattern& p = *o->pattern;
    (o->output ? t.dramWrite : t.dramRead) += o->weight * p.transfers;
    const double more = o->partial - 1;
    t.network += o->weight * (p.network + more * p.partialNetwork);
    t.localWrite += o->weight * (p.localIn + more * p.partialIn);
    t.localRead += o->weight * (p.localOut + more * p.partialOut);
  }
  return t;
}

double Evaluator::transfers(std::span<const MovementCost* const> options) {
  double count = 0;
  for (const MovementCost* o : options) count += o->issues * o->repeat;
  return count;
}

Estimate Evaluator::explain(const TiledCandidate& s,
                            std::span<const MovementCost* const> options) const {
  Ledger ledger;
  ledger.add("matrix", s.compute.matrix);
  double vector = s.compute.vector;
  for (const MovementCost* o : options) {
    vector += o->reduction;
    ledger.add(o->isAllReduce ? "all-reduce" : "transfer", o->exchange);
  }
  ledger.add("vector", vector);
  Scratch scratch;
  TermObserver observer{ledger, *s.patterns, s, m_kernel,
                        s.compute.matrix >= vector ? "matrix" : "vector"};
  Estimate e;
  e.cycles = evaluate(s, options, m_hw.launch(), scratch, observer);
  const double waits = waiting(s, options, e.cycles);
  ledger.add("dependence", waits);
  e.cycles += waits;
  ledger.add("launch", m_hw.launch());
  e.terms = ledger.take();
  e.levels = std::move(observer.levels);
  e.busy = busyTimes(s, options);
  e.bottleneck = bottleneckOf(e);
  e.transfers = transfers(options);
  for (std::size_t i = 0; i < options.size();) {
    std::size_t parts = 1;
    while (i + parts < options.size() && options[i + parts]->continues) ++parts;
    e.operands.push_back(counted(traffic(options.subspan(i, parts))));
    add(e.traffic, e.operands.back());
    i += parts;
  }
  e.localBytes = stateBytes(s);
  for (std::size_t i = 0; i < options.size(); ++i) {
    e.localBytes += options[i]->localBytes + moreHeld(options.first(i), *options[i]);
    e.sharedBufferBytes += options[i]->sharedBufferBytes;
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

Estimate Evaluator::estimate(const mapping::Mapping& mapping) const {
  const TiledCandidate s = candidate(mapping);
  if (!s.patterns->complete()) return {};
  std::vector<MovementCost> costs;
  for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
    costs.push_back(input(s, i, mapping.inputs[i]));
    if (mapping.inputs[i].usesSharedBuffer())
      costs.push_back(sharedBuffer(s, i, mapping.inputs[i]));
  }
  for (std::size_t i = 0; i < m_nest.outputs.size(); ++i) {
    const MovementCost leaving = output(s, i, mapping.outputs[i]);
    costs.push_back(leaving);
    if (mapping.outputs[i].usesSharedBuffer())
      costs.push_back(sharedBuffer(s, i, mapping.outputs[i], leaving));
  }
  for (const std::size_t r : mapping::splitAllReduces(m_nest, mapping)) {
    costs.push_back(allReduce(s, r, mapping.allReduces[r]));
  }
  std::vector<const MovementCost*> options;
  for (const MovementCost& c : costs) options.push_back(&c);
  return explain(s, options);
}

Estimate estimate(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                  const hardware::Topology& hw, const hardware::ComputeModel& compute,
                  const mapping::Mapping& mapping, const base::Progress* progress) {
  traffic::WantedPatterns wanted;
  for (const mapping::InputMovement& input : mapping.inputs) wanted.add(input);
  for (const mapping::OutputMovement& output : mapping.outputs) wanted.add(output);
  for (const mapping::ReductionTopology how : mapping.allReduces) wanted.add(how);
  Evaluator evaluator(kernel, nest, hw, compute, progress);
  evaluator.restrictTo(std::move(wanted));
  return evaluator.estimate(mapping);
}

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
      matrix += compute.matrixPeak > 0 ? flops / compute.matrixPeak
                                       : flops / 2 / std::max(compute.vectorDefault, 1e-30);
    } else if (const double rate = compute.vectorRate(kernel::nameOf(op.fn)); rate > 0) {
      vector += flops / rate;
    }
  }
  // Where guards leave out operations, only the kernel's own flops are certain.
  if (std::ranges::any_of(nest.ops, [](const auto& op) { return !op.guard.always(); })) {
    matrix =
        kernel::flopCount(kernel) / std::max(compute.matrixPeak + 2 * compute.vectorDefault, 1e-30);
    vector = 0;
  }
  Roofline r;
  r.computeCycles = std::max(matrix, vector) / static_cast<double>(hw.enabledCores());
  const hardware::GlobalMemory& global = hw.global();
  const double rate = global.duplex ? global.readBandwidth + global.writeBandwidth
                                    : std::max(global.readBandwidth, global.writeBandwidth);
  double bytes = static_cast<double>(kernel::compulsoryBytes(kernel).value);
  for (const kernel::TensorId id : resident) {
    const kernel::Tensor& tensor = kernel.tensor(id);
    bytes -= static_cast<double>(kernel::bytesOf(tensor.dtype, kernel::elementCount(tensor)));
  }
  r.memoryCycles = std::max(bytes, 0.0) / (rate * static_cast<double>(hw.global().channels));
  r.cycles = std::max(r.computeCycles, r.memoryCycles);
  return r;
}

}  // namespace gridloom::cost
