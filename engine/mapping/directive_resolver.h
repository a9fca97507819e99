// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/message_limit.h"
#include "mapping/constraints.h"
#include "mapping/dataflow_role.h"

namespace gridloom::mapping {

/// Resolves the names of one directive list and collects what they pin. It goes on after an error,
/// so one run reports all errors of a file.
class DirectiveResolver {
 public:
  DirectiveResolver(const Directives& directives, const kernel::Kernel& kernel,
                    const kernel::TileNest& nest, const hardware::Topology& hw)
      : m_directives(directives), m_kernel(kernel), m_nest(nest), m_hw(hw) {}

  base::Result<Constraints> run();

 private:
  using Kind = Directive::Kind;

  void apply(const Directive& d);
  /// An exclusion that removes everything that is pinned leaves no choice.
  void checkExclusions();
  void space(const Directive& d);
  void tile(const Directive& d);
  void order(const Directive& d);

  // How operands move (directives_movements.cpp).
  void movement(const Directive& d, MovementKind kind);
  void tooManyDims(const Directive& d);
  void share(const Directive& d);
  std::string sharersHint() const;
  void prefetch(const Directive& d);
  void hoist(const Directive& d);
  void buffers(const Directive& d, std::uint8_t count);
  /// buffer(A, k, double): T2S-Tensor's buffer, at a loop level instead of in a memory.
  bool namesLevel(const Directive& d) const;
  void bufferAtLoop(const Directive& d);
  static std::optional<std::uint8_t> bufferCount(const Directive::Name& name);
  void sharedBuffer(const Directive& d);
  void inputUse(const Directive& d, Constraints::SharedUse& use);
  /// Finished tiles go through a shared buffer one by one: the directive names no loop.
  void outputUse(const Directive& d, Constraints::SharedUse& use);
  void gather(const Directive& d);
  void reduction(const Directive& d);
  /// The reduction of an output, or of a local tensor that an all-reduce completes.
  std::optional<ReductionTopology>* reductionOf(const Directive& d);
  /// A tensor has one layout for all its windows, read and written.
  void layout(const Directive& d);

  // The unit that performs products (directives_units.cpp).
  void unit(const Directive& d);
  bool hasUnit(kernel::UnitKind unit) const;
  bool checkProducts(const Directive& d, kernel::TensorId tensor, kernel::UnitKind named);

  // Requirements, applied last (directives_dataflow.cpp).
  void require(const Directive& d);
  void exclude(const Directive& d, Constraints exclusion, const std::string& conflict,
               const std::string& hint);
  void scatter(const Directive& d);
  void scatterAlong(const Directive& d, int at, std::uint8_t dim);
  void vectorize(const Directive& d);
  std::string laneHint(const hardware::ComputeModel& units) const;
  void fillLanes(const Directive& d, LoopId loop, std::int64_t lanes);
  void isolate(const Directive& d);
  void isolateInput(const Directive& d, int in, DataflowRole role);
  void isolateOutput(const Directive& d, int out, DataflowRole role);

  // What names stand for; nothing, or null, after an error (directives_names.cpp).
  void fail(base::Span span, std::string message, std::string hint = {});
  void note(Constraints::Axis axis, std::size_t index, const Directive& d);
  std::optional<LoopId> loop(const Directive::Name& name);
  std::optional<std::uint8_t> dim(const Directive::Name& name);
  /// A loop that `space` places stands for its dimensions, as in `stream(A, j)`.
  std::optional<std::vector<std::uint8_t>> dimList(const Directive& d);
  /// The names of the dimensions on which a directive places a loop; none: it places it nowhere.
  std::vector<Directive::Name> placeOf(const Directive::Name& loop) const;
  std::optional<std::vector<std::uint8_t>> dimsNamed(const Directive& d,
                                                     const Directive::Name& name);
  static int operandNamed(const std::vector<kernel::Operand>& operands, const std::string& name);
  std::string operandNames() const;
  Constraints::Input* input(const Directive& d);
  Constraints::Output* output(const Directive& d);
  /// A tensor that a statement computes.
  std::optional<kernel::TensorId> computed(const Directive::Name& name);
  /// A level of Topology::sharedBuffers; nothing, after an error, for another memory.
  std::optional<std::size_t> sharedBufferNamed(const Directive::Name& name);

  /// Width of the elements for which units are looked up: their shapes do not depend on it.
  static constexpr double kLaneBits = 16;

  /// Pins `slot` to `value`; a second, different pin is a contradiction.
  template <class T>
  void pin(std::optional<T>& slot, T value, const Directive& d, const char* what) {
    if (slot && !(*slot == value)) {
      fail(d.span,
           fmt::format("contradicts an earlier directive about {} of `{}`", what, d.subject.text),
           "keep one of the two");
      return;
    }
    slot = std::move(value);
  }

  const Directives& m_directives;
  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  Constraints m_out;
  Constraints* m_target = &m_out;  ///< m_out, or the current exclusion
  base::Diagnostics m_errors;
};

}  // namespace gridloom::mapping
