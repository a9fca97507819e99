// SPDX-License-Identifier: Apache-2.0
#include "kernel/state_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kernel/state_combine.h"
#include "kernel/state_form.h"
#include "kernel/statement_ops.h"

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;
using State = StateMerge::State;

class Derivation {
 public:
  Derivation(const Kernel& kernel, LoopId loop) : m_kernel(kernel), m_known(kernel.tensors.size()) {
    m_merge.loop = loop;
  }

  std::variant<StateMerge, std::string> run() {
    for (std::size_t s = 0; s < m_kernel.statements.size() && m_reason.empty(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      if (contains(targetLoops(statement), m_merge.loop)) {
        inLoop(statement);
      } else {
        behindLoop(statement);
      }
    }
    if (!m_reason.empty()) return m_reason;
    m_merge.ops = combineOps(m_kernel, m_merge);
    return std::move(m_merge);
  }

 private:
  // Result of a statement inside the loop: a state, or a value that only its iteration needs.
  struct Known {
    const Statement* statement = nullptr;
    std::optional<std::size_t> state;
    StateForm form;
  };

  const std::string& nameOf(const Access& access) const {
    return m_kernel.tensor(access.tensor).name;
  }
  const std::string& loopName() const { return m_kernel.loop(m_merge.loop).name; }
  // Keeps the first reason; later ones follow from it.
  void fail(std::string reason) {
    if (m_reason.empty()) m_reason = std::move(reason);
  }
  StateForm opaque(std::string reason) {
    fail(std::move(reason));
    return {};
  }

  void inLoop(const Statement& statement) {
    const std::string& name = nameOf(statement.target);
    Known& known = m_known[statement.target.tensor.index()];
    if (m_kernel.tensor(statement.target.tensor).role == TensorRole::Output) {
      return fail(fmt::format("`{}` takes the state of every iteration of {}", name, loopName()));
    }
    if (known.statement != nullptr) {
      return fail(fmt::format("`{}` is defined by several statements", name));
    }
    known.statement = &statement;
    const bool carries = std::ranges::any_of(statement.reads, [&](const Access& read) {
      return read.tensor == statement.target.tensor;
    });
    if (carries) return addState(statement, known);
    known.form = formOf(statement, static_cast<std::int32_t>(statement.expr.size()) - 1);
  }

  // Only complete states are read after the loop.
  void behindLoop(const Statement& statement) {
    for (const Access& read : statement.reads) {
      const Known& known = m_known[read.tensor.index()];
      if (known.statement == nullptr || known.state) continue;
      fail(fmt::format("`{}` needs `{}` of the last iteration of {}", nameOf(statement.target),
                       nameOf(read), loopName()));
    }
  }

  void addState(const Statement& statement, Known& known) {
    const std::string& name = nameOf(statement.target);
    const auto form = runningForm(statement);
    if (!form || form->loop != m_merge.loop || form->distance != 1) {
      return fail(fmt::format("`{0}` is neither `{0} before * factor + term` nor a maximum or "
                              "minimum of `{0} before` and a value",
                              name));
    }
    State state{statement.target.tensor, form->join, {}, {}, {}};
    if (!index(statement.target, state)) {
      return fail(fmt::format("`{}` is indexed by more than its loops", name));
    }
    const double initial = m_kernel.tensor(state.tensor).initial.value_or(0);
    if (form->join == ExprOp::Sum && initial != 0) {
      return fail(fmt::format("every share of {} would begin with {} = {}, and their sum count it "
                              "as often as there are shares; 0 adds nothing",
                              loopName(), name, initial));
    }
    checkDomain(statement);
    const StateForm term = formOf(statement, form->rest);
    const StateForm factor =
        form->factor < 0 ? StateForm::free(1) : formOf(statement, form->factor);
    if (!m_reason.empty()) return;
    setScale(name, factor, term, state);
    known.state = m_merge.states.size();
    m_merge.states.push_back(std::move(state));
  }

  // Every index is one loop, and every loop indexes once.
  bool index(const Access& target, State& state) const {
    for (const affine::LinearExpr& at : target.indices) {
      std::optional<LoopId> loop;
      for (std::size_t d = 0; d < m_kernel.loops.size(); ++d) {
        if (at == affine::LinearExpr::dim(d)) loop = LoopId::of(d);
      }
      if (!loop || contains(state.dims, *loop)) return false;
      state.dims.push_back(*loop);
      if (*loop != m_merge.loop) state.loops.push_back(*loop);
    }
    std::ranges::sort(state.loops);
    return true;
  }

  // States that end at different iterations do not belong to one share.
  void checkDomain(const Statement& statement) {
    if (m_merge.states.empty()) return;
    const Statement& first = *m_known[m_merge.states.front().tensor.index()].statement;
    if (statement.constraints == first.constraints) return;
    fail(fmt::format("`{}` and `{}` run over different iterations of {}", nameOf(first.target),
                     nameOf(statement.target), loopName()));
  }

  void setScale(const std::string& name, const StateForm& factor, const StateForm& term,
                State& state) {
    if (!factor.product || factor.product->rest != 1) {
      return fail(fmt::format("what older `{}` is multiplied by is not exp of the change of a "
                              "maximum, minimum or plain sum",
                              name));
    }
    StateRates added;
    for (const auto& [atom, rate] : factor.product->rates) {
      const auto before = factor.product->rates.find({atom.state, false});
      const auto after = factor.product->rates.find({atom.state, true});
      const bool change = before != factor.product->rates.end() &&
                          after != factor.product->rates.end() && before->second == -after->second;
      if (!change) {
        return fail(
            fmt::format("what older `{}` is multiplied by is not exp of a change of state", name));
      }
      if (!atom.updated) continue;
      state.scale.push_back({atom.state, rate});
      added[atom] = rate;
    }
    if (!term.product || term.product->rates != added) {
      fail(fmt::format("what is added to `{}` does not scale with state as older `{}` does", name,
                       name));
    }
  }

  StateForm formOf(const Statement& statement, std::int32_t n) {
    const ExprNode& node = statement.expr[static_cast<std::size_t>(n)];
    if (node.op == ExprOp::Constant) return StateForm::free(node.constant);
    if (node.op == ExprOp::Read) {
      return read(statement, statement.reads[static_cast<std::size_t>(node.read)]);
    }
    if (node.op == ExprOp::Index) return StateForm::free();
    const StateForm left = formOf(statement, node.lhs);
    if (node.op == ExprOp::Select) {
      return chosenOf(left, formOf(statement, node.rhs), formOf(statement, node.other));
    }
    if (isUnary(node.op)) return unaryOf(node.op, left);
    if (node.op == ExprOp::ProdReduce && !left.isFree()) return {};
    if (isReduction(node.op)) return reduced(left, node.loops);
    return binaryOf(node.op, left, formOf(statement, node.rhs));
  }

  // A common factor can leave a reduction when it does not depend on the reduced loops.
  StateForm reduced(const StateForm& a, const Loops& loops) const {
    if (!a.product) return {};
    for (const auto& [atom, rate] : a.product->rates) {
      for (const LoopId loop : m_merge.states[atom.state].loops) {
        if (contains(loops, loop)) return {};
      }
    }
    return reductionOf(a);
  }

  StateForm read(const Statement& statement, const Access& access) {
    const Known& known = m_known[access.tensor.index()];
    if (known.statement == nullptr) {
      return isRunning(access.tensor)
                 ? opaque(fmt::format("`{}` reads `{}` before it is updated",
                                      nameOf(statement.target), nameOf(access)))
                 : StateForm::free();
    }
    const Access& target = known.statement->target;
    const bool same = access.indices == target.indices;
    if (known.state) return readState(statement, access, *known.state, same);
    if (same || (known.form.isFree() && sameIteration(target, access))) return known.form;
    return opaque(fmt::format("`{}` needs `{}`, which is no loop-carried state",
                              nameOf(statement.target), toString(m_kernel, access)));
  }

  StateForm readState(const Statement& statement, const Access& access, std::size_t state,
                      bool same) {
    if (!m_merge.states[state].scale.empty()) {
      return opaque(fmt::format("`{}` depends on `{}`, whose parts are scaled by other state",
                                nameOf(statement.target), nameOf(access)));
    }
    const auto lag = lagBehind(m_known[access.tensor.index()].statement->target, access);
    if (!same && (!lag || lag->loop != m_merge.loop || lag->distance != 1)) {
      return opaque(fmt::format("`{}` needs `{}`: more than the state of one iteration",
                                nameOf(statement.target), toString(m_kernel, access)));
    }
    return StateForm::of({state, same});
  }

  // Whether a statement inside the loop defines the tensor.
  bool isRunning(TensorId tensor) const {
    return std::ranges::any_of(m_kernel.statements, [&](const Statement& s) {
      return s.target.tensor == tensor && contains(targetLoops(s), m_merge.loop);
    });
  }

  bool sameIteration(const Access& target, const Access& access) const {
    for (std::size_t d = 0; d < target.indices.size(); ++d) {
      const bool runs = target.indices[d].dependsOn(m_merge.loop.index()) ||
                        access.indices[d].dependsOn(m_merge.loop.index());
      if (runs && target.indices[d] != access.indices[d]) return false;
    }
    return true;
  }

  const Kernel& m_kernel;
  std::vector<Known> m_known;  ///< per tensor
  StateMerge m_merge;
  std::string m_reason;
};

}  // namespace

std::variant<StateMerge, std::string> stateMerge(const Kernel& kernel, LoopId loop) {
  return Derivation(kernel, loop).run();
}

}  // namespace gridloom::kernel
