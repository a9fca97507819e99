// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernel/interpreter.h"
#include "kernel/tile_nest.h"
#include "schedule/token_machine.h"
#include "schedule/verify.h"
#include "values/joined_partials.h"
#include "values/statement_plan.h"

namespace gridloom::values {

/// Computes the values of a schedule in the order of the simulator's events. A core reads operands
/// only from the slots it holds; a missing element is an error.
class ValueMachine {
 public:
  /// `tokens` runs the schedule.
  ValueMachine(const schedule::VerifiedSchedule& schedule, const schedule::TokenMachine& tokens,
               const kernel::TensorValues& inputs);

  /// Errors: missing inputs, wrong shapes, more elements than value mode allows.
  static base::Diagnostics check(const kernel::Kernel& kernel, const kernel::TensorValues& inputs);

  /// The timed instruction of a process is over (all but Send).
  void perform(std::int32_t process);
  /// A Send has its credits: the tile leaves for the leaf.
  void post(std::int32_t process, std::int32_t leaf);
  /// The tile posted to a leaf has arrived.
  void receive(int channel, std::int32_t leaf);

  const std::string& error() const { return m_error; }
  kernel::TensorValues takeOutputs() { return std::move(m_outputs); }

 private:
  friend class CoreReader;
  using Elements = std::unordered_map<std::int64_t, double>;
  /// Values between statements on one core: per tensor of the kernel.
  struct Core {
    std::vector<Elements> tensors;
    std::vector<Elements> sums;  ///< per accumulator of the plan, by element of its target
    /// where the state's loop is unrolled over cores: this core's state, by StateMerge::states
    std::vector<Elements> states;
    std::vector<std::int32_t> scope;  ///< waves of the output scope it works on
    /// Elements that other cores may take, by output tensor: one entry per outermost iteration with
    /// room, the oldest first.
    std::unordered_map<std::string, std::deque<std::vector<std::int64_t>>> held;
    bool started = false;
  };

  // In a slot, the elements of sums have keys that differ from those of the tile.
  static constexpr int kSumShift = 40;
  static std::int64_t keyOf(std::int32_t partial, std::int64_t element) {
    return (std::int64_t{partial} + 1) << kSumShift | element;
  }
  static std::pair<std::int32_t, std::int64_t> partialAt(std::int64_t key) {
    return {static_cast<std::int32_t>((key >> kSumShift) - 1),
            key & ((std::int64_t{1} << kSumShift) - 1)};
  }

  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::size_t slotIndex(std::int32_t core, int buffer, std::int32_t position) const {
    return (index(core) * m_schedule.buffers.size() + index(buffer)) * m_mostSlots +
           index(position);
  }
  /// The core's own slot, or the shared copy that it reads.
  Elements& slot(std::int32_t core, int buffer, std::int32_t position) {
    const std::size_t own = slotIndex(core, buffer, position);
    const auto shared = m_shared.find(own);
    return m_slots[shared == m_shared.end() ? own : shared->second];
  }
  std::int32_t slotSent(std::int32_t process) const;
  std::int64_t waveOf(std::int32_t process, kernel::LoopId loop, int depth) const;
  void setRange(std::int32_t core, kernel::LoopId loop, std::int64_t wave);
  void setRanges(std::int32_t process, int depth);
  /// -1: outside of the tensor. `reader` reads the indices of a gather.
  std::int64_t flatIndex(const kernel::Access& access, std::span<const std::int64_t> point,
                         kernel::OperandReader* reader = nullptr) const;

  void load(std::int32_t process);
  void forGathered(const kernel::Operand& operand,
                   const std::function<void(std::int64_t)>& visit) const;
  void forElements(const kernel::Operand& operand,
                   const std::function<void(std::int64_t)>& visit) const;
  void fillTile(const kernel::Operand& operand, bool passed, Elements& to);
  void forTilesInside(std::int32_t core, int from, std::span<const kernel::LoopId> loops,
                      const std::function<void()>& body);
  Elements partOfSharedBuffer(std::int32_t process);

  // Tiles that cores move in shares around a ring (value_rings.cpp).
  std::vector<std::int64_t> shareOf(std::int32_t process);
  Elements partOfTile(std::int32_t process, const Elements& tile);
  void compute(std::int32_t process);
  void exchangeSums(std::int32_t process);
  void epilogue(std::int32_t process);
  void findStates();
  void notePartial(std::int32_t core, std::int32_t partial, std::int64_t element, double value);
  void combine(std::int32_t process);
  void combineSum(std::int32_t core, std::int64_t key, double value);

  // Loop-carried state whose loop is unrolled over several cores (value_states.cpp). A state's
  // elements are those at index 0 of its loop.
  bool splitsState() const { return !m_stateOf.empty(); }
  std::int64_t stateElement(std::size_t state, std::span<const std::int64_t> point) const;
  std::vector<std::int64_t> statePoint(std::size_t state, std::int64_t element) const;
  void noteState(std::int32_t core, const StatementPlan::Step& step, double value);
  std::optional<double> readState(std::int32_t process, std::size_t state,
                                  const kernel::Access& access,
                                  std::span<const std::int64_t> point);
  void combineStates(std::int32_t core, const Elements& received);
  void store(std::int32_t process);
  bool beginsScope(std::int32_t process);
  void clearScope(std::int32_t core);

  void holdOutput(const schedule::Buffer& buffer);
  void hold(std::int32_t core, const kernel::Tensor& tensor, std::int64_t element, double value);
  void dropOldest(std::int32_t core);
  bool isDefined(const kernel::Statement& statement) const;
  void computeDependent(std::int32_t process);
  double finishedSum(std::int32_t process, std::int32_t sum, std::int64_t element);
  bool isChosen(std::int32_t process, const StatementPlan::Step& step);
  double evaluate(std::int32_t process, const kernel::Statement& statement,
                  std::span<std::int64_t> point);

  void runGroup(std::int32_t process, const StatementPlan::Group& group);
  bool wasSummed(std::int32_t process, const kernel::Statement& statement) const;
  void runStatement(std::int32_t process, const StatementPlan::Step& step);
  template <class Body>
  void forPoints(std::span<const kernel::LoopId> loops, std::size_t at, const Body& body) {
    if (at == loops.size()) return body();
    const kernel::LoopRange range = m_ranges[loops[at].index()];
    for (std::int64_t x = range.begin; x < range.end; ++x) {
      m_point[loops[at].index()] = x;
      forPoints(loops, at + 1, body);
    }
  }
  void write(std::int32_t core, const kernel::Statement& statement, std::int64_t element,
             double value);
  std::optional<double> heldBy(std::int32_t process, kernel::TensorId tensor, std::int64_t element);
  double* find(std::int32_t core, kernel::TensorId tensor, std::int64_t element);
  double read(std::int32_t process, const kernel::Access& access,
              std::span<const std::int64_t> point);
  void fail(std::string message);

  const schedule::Schedule& m_schedule;
  const schedule::Placement& m_placement;
  const schedule::Wiring& m_wiring;
  const schedule::TokenMachine& m_tokens;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const kernel::TensorValues& m_inputs;
  StatementPlan m_plan;
  bool m_dependent = false;  ///< outputs that depend on each other
  bool m_keeps = false;      ///< tiles of outputs are used in the cores that computed them
  std::vector<JoinedPartial> m_joined;  ///< by StatementPlan::Step::partial
  /// With split state: per tensor, its number in the nest's StateMerge, or -1.
  std::vector<std::int32_t> m_stateOf;
  std::vector<std::uint8_t> m_isKept;  ///< per tensor: state that lives from scope to scope
  std::size_t m_mostSlots = 1;         ///< maximum over all buffers
  std::vector<Elements> m_slots;       ///< [core][buffer][slot]
  /// slots that are shared copies -> slot of the owner
  std::unordered_map<std::size_t, std::size_t> m_shared;
  std::vector<Core> m_cores;
  std::unordered_map<std::int64_t, std::shared_ptr<const Elements>> m_mail;  ///< channel, leaf
  std::vector<kernel::LoopRange> m_ranges;
  std::vector<std::int64_t> m_point;
  kernel::TensorValues m_outputs;
  kernel::TensorValues m_held;  ///< outputs in the local memories of the cores, for forwarding
  std::unordered_map<std::string, std::size_t> m_heldIterations;  ///< by tensor
  std::string m_error;
};

}  // namespace gridloom::values
