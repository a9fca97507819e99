// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "importer/dataflow.h"
#include "importer/values.h"

namespace gridloom::importer {

/// Loads and stores of memory in the order in which a function is read, until it is known which
/// store wrote what each load reads.
struct Flow {
  struct Load {
    MemoryRef memory;
    MemoryAccess access;
    int buffer = -1;  ///< stands for the element, indexed by the loops
    Place place;
    bool mayBeUnwritten = false;
  };
  struct Store {
    MemoryRef memory;
    MemoryAccess access;
    std::size_t statement = 0;
    ExprRef value;
    std::vector<Linear> bounds;  ///< of sums that it took from other stores
    /// It has no elements of its own: what reads it computes the value.
    bool isInlined = false;
    bool isLive = false;
    int buffer = -1;  ///< with its values, over the loops that it keeps
  };
  std::vector<Load> loads;
  std::vector<Store> stores;
  std::vector<MemoryRef> memories;
  std::set<const void*> written;        ///< memory of which something is written, by its value
  std::map<int, std::size_t> standIns;  ///< loads by buffer
  std::map<Loop, int> entered;          ///< the first access in a loop
  std::set<Loop> parallel;              ///< loops whose iterations have no order
  std::optional<Loop> once;             ///< of one iteration
  bool dividesLoops = false;            ///< as other loops over the same memory step
  int accesses = 0;                     ///< so far
  int choices = 0;                      ///< between sources, so far
  std::size_t firstFinal = 0;      ///< loads from here on are those of what arguments hold at last
  std::set<const Memory*> direct;  ///< whose stores are those of the output itself
};

/// The parts of loops that were divided, from the outermost one.
std::vector<Loop> partsOf(const Loops& loops, const std::vector<Loop>& of);
/// Loops, each with the form that takes its place, and forms with them.
std::map<Loop, Linear> byForms(const std::vector<Loop>& loops, const std::vector<Linear>& forms);
Linear substituted(const Linear& form, const std::map<Loop, Linear>& by);
std::vector<Linear> substituted(std::vector<Linear> forms, const std::map<Loop, Linear>& by);

}  // namespace gridloom::importer
