// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <isl/cpp.h>

#include <map>
#include <optional>
#include <vector>

#include "importer/isl_forms.h"

namespace gridloom::importer {

/// A load or a store of one element of a memory in every iteration of its loops.
struct MemoryAccess {
  int memory = -1;
  std::vector<Linear> index;  ///< of the element; forms over `loops`
  std::vector<Loop> loops;
  std::vector<Linear> where;  ///< iterations, each at least 0
  /// When an iteration takes place, in lexicographic order: numbers of operations, and loops.
  std::vector<Linear> time;
};

/// Where the value that a load reads comes from.
struct Source {
  std::vector<Linear> where;  ///< iterations of the load, each at least 0
  int store = -1;             ///< number of the store; -1: what memory held before
  /// The iteration of the store, over the loops that it keeps, or the element of the memory.
  std::vector<Linear> at;
};

/// Which store wrote each element that is read, exactly (Feautrier, "Dataflow analysis of array and
/// scalar references", 1991). Throws Refusal where that takes too long, or no affine forms say it.
class Dataflow {
 public:
  /// `loads` and `stores` name loops that are not divided. `tellsApart`: the values of short loops,
  /// where a remainder of them says which iteration wrote an element.
  Dataflow(const Loops& loops, const std::vector<MemoryAccess>& stores,
           const std::vector<MemoryAccess>& loads, bool tellsApart = false);

  /// Over the load's loops; the pieces are disjoint, and cover its iterations.
  std::vector<Source> sourcesOf(std::size_t load) const;
  const std::vector<Loop>& loopsOf(std::size_t load) const { return m_loads[load].loops; }
  /// The iterations that read what memory held before, in disjoint pieces; `loops` gets loops for
  /// those at a stride.
  std::vector<std::vector<Linear>> keptBy(std::size_t load, Loops& loops) const;
  /// The same with loops that are divided, which need no others.
  std::vector<std::vector<Linear>> keptByCases(std::size_t load) const;
  bool readsBefore(std::size_t load) const { return !m_loads[load].before.is_empty(); }
  bool readsFrom(std::size_t load, std::size_t store) const;
  /// Whether the load reads nothing but this store's values, each in the same iteration.
  bool isSameIteration(std::size_t load, std::size_t store) const;
  /// Whether the load reads every value of the store, and each once.
  bool readsAllOnce(std::size_t load, std::size_t store) const;

  /// Whether an iteration of the loop reads what another one of the same loop stored, or stores
  /// where another one stores, too.
  bool readsAcross(std::size_t load, std::size_t store, Loop loop) const;
  bool storesAgain(std::size_t store, Loop loop) const;

  /// The loops over which a store's values are told apart, and those over which it reduces.
  std::vector<Loop> keptLoops(std::size_t store) const;
  std::vector<Loop> reducedLoops(std::size_t store) const;
  /// The iterations of the loops that are kept, in disjoint pieces.
  std::vector<std::vector<Linear>> domainOf(std::size_t store) const;
  /// Those of the other loops, within that domain.
  std::vector<Linear> reducedBounds(std::size_t store) const;

  /// If every iteration of a store continues what its former one left, which it reads by `load`,
  /// and others read only what the last one leaves: the store stands for the last one from now on,
  /// and the load for what the first one reads, over the loops that are kept. False otherwise.
  bool fold(std::size_t store, std::size_t load);

 private:
  struct Store {
    std::vector<Loop> loops;
    std::vector<bool> keeps;  ///< per loop
    isl::map element;         ///< from iterations of all loops
    isl::set all;             ///< iterations of all loops
    isl::set domain;          ///< of those that are kept
    isl::set empty;           ///< of these, what reduces nothing
  };
  struct Load {
    std::vector<Loop> loops;
    isl::set domain;
    isl::map element;
    std::map<std::size_t, isl::map> from;  ///< by store, to its iterations
    isl::set before;                       ///< iterations that read what was there before
  };

  std::optional<std::vector<Linear>> boundsWithin(std::size_t number, const isl::set& domain) const;
  isl::set boxOf(const std::vector<Loop>& loops) const;
  std::optional<std::vector<bool>> keptOf(const Store& store, std::size_t number,
                                          std::size_t load) const;
  void standForStart(Load& load, std::size_t number, const Store& store, const isl::set& firsts);
  void takeEmpty(Load& reader, std::size_t number, Load& start);

  const Loops& m_loops;
  bool m_tellsApart;
  IslContext m_context;  // goes last
  std::vector<Store> m_stores;
  std::vector<Load> m_loads;
};

}  // namespace gridloom::importer
