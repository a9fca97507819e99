// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "importer/program.h"

namespace gridloom::importer {

/// Names for the loops of a kernel's statements. Loops over the same dimension of a tensor have one
/// name in all of them, and so have those of statements that are alike.
class LoopNames {
 public:
  /// `statements`: those of the kernel, by their numbers. `tensors`: names that are taken.
  LoopNames(const Program& program, const std::vector<std::size_t>& statements,
            std::set<std::string> tensors);

  /// The names in statement number `n` of the kernel.
  const std::map<Loop, std::string>& of(std::size_t n) const { return m_all[n]; }
  /// Loops of statement `n` that are shorter than other loops of their names.
  std::vector<Loop> narrow(std::size_t n) const;
  /// Names of loops that index no dimension alone, which would give them their range; how far they
  /// go.
  std::vector<std::pair<std::string, std::int64_t>> withoutRange() const;

 private:
  using Names = std::map<Loop, std::string>;
  using Dim = std::pair<int, std::size_t>;  ///< of a buffer
  /// The numbers of steps of a statement's loops, and which are reduced.
  using Steps = std::vector<std::pair<std::int64_t, bool>>;

  void noteCycles();
  bool needEachOther(int a, int b) const;
  void nameAll();
  bool runApartInCycles() const;
  void name(const Statement& statement);
  void nameByPlace(const Statement& statement);
  void nameByDims(const Statement& statement);
  void nameRest(const Statement& statement);
  std::optional<std::string> nameOfSum(const Statement& statement, Loop loop) const;
  void nameAs(Loop loop, const std::string& name);
  void noteDims(const Statement& statement);
  void noteLongest(const Statement& statement, const Names& names);
  std::map<Dim, std::string>& namesFor(Loop loop, int b, const Statement& statement);
  bool isApart(const Statement& statement) const;
  const Statement& statement(std::size_t n) const;
  std::int64_t extent(Loop loop) const { return m_program.loops.extent(loop); }
  std::int64_t sizeOf(const Dim& dim) const;
  std::string nextName();

  const Program& m_program;
  const std::vector<std::size_t>& m_statements;
  std::set<std::string> m_tensors;
  std::map<int, int> m_cycles;  ///< of buffers that the kernel writes: equal where in one cycle
  bool m_byPlace = false;       ///< what is in one cycle has its loops in the same order

  std::vector<Names> m_all;  ///< by statement
  std::map<Dim, std::string> m_dimNames, m_sumNames;
  std::map<int, std::vector<std::string>> m_cycleNames;  ///< by cycle, in the order of dimensions
  std::map<Steps, std::vector<std::string>> m_alike;     ///< the names of the last such statement
  std::set<int> m_defined;                               ///< by the statements so far
  std::map<std::string, std::int64_t> m_extents, m_longest;
  std::set<std::string> m_sums;    ///< loops that the last statement with their names reduces
  std::set<std::string> m_ranged;  ///< loops whose extent a dimension gives
  std::size_t m_used = 0;

  // Of the statement that is being named.
  Names m_names;
  std::set<std::string> m_taken;
  std::set<Loop> m_reduced;
};

}  // namespace gridloom::importer
