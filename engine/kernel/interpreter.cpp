// SPDX-License-Identifier: Apache-2.0
#include "kernel/interpreter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "affine/index_digits.h"

namespace gridloom::kernel {

namespace {

enum class Progress : std::uint8_t { Unknown, Started, Done };

struct Element {
  std::size_t tensor = 0;
  std::int64_t offset = 0;
};

struct Store {
  TensorValue value;
  std::vector<Progress> states;  // empty for inputs: all defined
};

class Interpreter : public OperandReader {
 public:
  Interpreter(const Kernel& kernel, const TensorValues& inputs) : m_kernel(kernel) {
    for (const Loop& loop : kernel.loops) {
      m_ranges.push_back({0, loop.extent});
      m_extents.push_back(loop.extent);
    }
    for (const Statement& statement : kernel.statements) {
      m_targetDomains.push_back(targetDomainOf(kernel, statement));
    }
    for (const Tensor& tensor : kernel.tensors) {
      Store store;
      if (tensor.role == TensorRole::Input) {
        store.value = inputs.at(tensor.name);
      } else {
        const auto count = static_cast<std::size_t>(elementCount(tensor));
        store.value = {tensor.shape, std::vector<double>(count, 0)};
        store.states.assign(count, Progress::Unknown);
      }
      m_stores.push_back(std::move(store));
    }
  }

  base::Result<TensorValues> run() {
    for (std::size_t t = 0; t < m_stores.size() && m_errors.empty(); ++t) {
      for (std::size_t e = 0; e < m_stores[t].states.size() && m_errors.empty(); ++e) {
        const Element element{t, static_cast<std::int64_t>(e)};
        // Undefined local elements are legal as long as nothing reads them.
        std::vector<std::int64_t> point;
        if (stateOf(element) != Progress::Done && statementOf(element, point) != nullptr) {
          compute(element);
        }
      }
    }
    if (!m_errors.empty()) return std::move(m_errors);
    TensorValues values;
    for (std::size_t t = 0; t < m_stores.size(); ++t) {
      if (m_kernel.tensors[t].role != TensorRole::Input) {
        values[m_kernel.tensors[t].name] = std::move(m_stores[t].value);
      }
    }
    return values;
  }

  double read(const Access& access, std::span<const std::int64_t> point) override {
    const Tensor& tensor = m_kernel.tensor(access.tensor);
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      const std::size_t missing = m_missing.size();
      const std::int64_t index = indexAt(m_kernel, access, d, point, *this);
      if (m_missing.size() > missing) return 0;
      if (index < 0 && tensor.initial) return *tensor.initial;
      if (index < 0 || index >= tensor.shape[d]) {
        const std::string wrong = gatherError(m_kernel, access, point, *this);
        fail(access.span, fmt::format("`{}` reads outside `{}`{}{}", toString(m_kernel, access),
                                      tensor.name, wrong.empty() ? "" : ": ", wrong));
        return 0;
      }
      offset = offset * tensor.shape[d] + index;
    }
    const Store& store = m_stores[access.tensor.index()];
    if (!store.states.empty() && store.states[static_cast<std::size_t>(offset)] != Progress::Done) {
      m_missing.push_back({access.tensor.index(), offset});
      return 0;
    }
    return store.value.data[static_cast<std::size_t>(offset)];
  }

  std::size_t missing() const override { return m_missing.size(); }

 private:
  void fail(base::Span span, std::string message) {
    if (m_errors.empty()) {
      m_errors.push_back(base::errorAt(m_kernel.source, span, std::move(message)));
    }
  }

  Progress& stateOf(const Element& e) {
    return m_stores[e.tensor].states[static_cast<std::size_t>(e.offset)];
  }

  std::vector<std::int64_t> indicesOf(const Element& element) const {
    const std::vector<std::int64_t>& shape = m_kernel.tensors[element.tensor].shape;
    std::vector<std::int64_t> indices(shape.size());
    std::int64_t rest = element.offset;
    for (std::size_t d = shape.size(); d-- > 0;) {
      indices[d] = rest % shape[d];
      rest /= shape[d];
    }
    return indices;
  }

  // Solves for the loops of the target.
  bool solve(const Access& target, const std::vector<std::int64_t>& indices,
             std::vector<std::int64_t>& point) const {
    return affine::pointAt(target.indices, indices, m_extents, point);
  }

  const Statement* statementOf(const Element& element, std::vector<std::int64_t>& point) const {
    const std::vector<std::int64_t> indices = indicesOf(element);
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      if (statement.target.tensor.index() == element.tensor &&
          solve(statement.target, indices, point) && m_targetDomains[s].contains(point)) {
        return &statement;
      }
    }
    return nullptr;
  }

  std::string nameOf(const Element& element) const {
    return fmt::format("{}[{}]", m_kernel.tensors[element.tensor].name,
                       fmt::join(indicesOf(element), ", "));
  }

  // Depth first with an explicit stack: the missing operands of an element are computed before it
  // is tried again.
  void compute(const Element& root) {
    m_work.assign(1, root);
    while (!m_work.empty() && m_errors.empty()) {
      const Element element = m_work.back();
      if (stateOf(element) == Progress::Done) {
        m_work.pop_back();
      } else {
        attempt(element);
      }
    }
  }

  void attempt(const Element& element) {
    std::vector<std::int64_t> point;
    const Statement* statement = statementOf(element, point);
    if (statement == nullptr) {
      if (takesInitial(element)) return;
      fail({}, fmt::format("`{}` is read, but nothing defines it", nameOf(element)));
      return;
    }
    m_missing.clear();
    const double value = evaluateAt(m_kernel, *statement, point, m_ranges, *this);
    Progress& state = stateOf(element);
    if (m_missing.empty()) {
      m_stores[element.tensor].value.data[static_cast<std::size_t>(element.offset)] = value;
      state = Progress::Done;
      m_work.pop_back();
      return;
    }
    state = Progress::Started;
    for (const Element& missing : m_missing) {
      if (stateOf(missing) == Progress::Started)
        return fail(statement->span, fmt::format("`{}` needs itself", nameOf(element)));
      m_work.push_back(missing);
    }
  }

  // State before the first that is computed: kernel::check refuses other reads of undefined state.
  bool takesInitial(const Element& element) {
    const auto initial = m_kernel.tensors[element.tensor].initial;
    if (!initial) return false;
    m_stores[element.tensor].value.data[static_cast<std::size_t>(element.offset)] = *initial;
    stateOf(element) = Progress::Done;
    m_work.pop_back();
    return true;
  }

  const Kernel& m_kernel;
  std::vector<Store> m_stores;
  std::vector<affine::IntegerSet> m_targetDomains;
  std::vector<LoopRange> m_ranges;
  std::vector<std::int64_t> m_extents;  ///< per loop
  std::vector<Element> m_work;
  std::vector<Element> m_missing;
  base::Diagnostics m_errors;
};

void checkInput(const Kernel& kernel, const Tensor& tensor, const TensorValues& inputs,
                base::Diagnostics& errors) {
  const auto found = inputs.find(tensor.name);
  if (found == inputs.end()) {
    errors.push_back(base::errorAt(kernel.source, tensor.span,
                                   fmt::format("no values for input `{}`", tensor.name)));
  } else if (found->second.shape != tensor.shape ||
             std::ssize(found->second.data) != elementCount(tensor)) {
    errors.push_back(base::errorAt(kernel.source, tensor.span,
                                   fmt::format("the values of `{}` have shape [{}], expected [{}]",
                                               tensor.name, fmt::join(found->second.shape, ", "),
                                               fmt::join(tensor.shape, ", "))));
  }
}

}  // namespace

base::Result<TensorValues> interpret(const Kernel& checked, const TensorValues& inputs,
                                     std::int64_t maxElements) {
  const Kernel& kernel = checked.asWritten();
  base::Diagnostics errors;
  double elements = 0;
  for (const Tensor& tensor : kernel.tensors) {
    elements += static_cast<double>(elementCount(tensor));
    if (tensor.role == TensorRole::Input) checkInput(kernel, tensor, inputs, errors);
  }
  if (elements > static_cast<double>(maxElements)) {
    errors.push_back(
        base::errorAt(kernel.source, kernel.span,
                      fmt::format("evaluating `{}` takes {:.0f} elements; the limit is {}",
                                  kernel.name, elements, maxElements),
                      "make its parameters smaller"));
  }
  if (!errors.empty()) return errors;
  return Interpreter(kernel, inputs).run();
}

}  // namespace gridloom::kernel
