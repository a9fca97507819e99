// SPDX-License-Identifier: Apache-2.0
//
// Tiles whose elements are found through indices.
#include "values/value_machine.h"

namespace gridloom::values {

namespace {

// Reads inputs in global memory.
class InputReader : public kernel::OperandReader {
 public:
  InputReader(const kernel::Kernel& kernel, const kernel::TensorValues& inputs)
      : m_kernel(kernel), m_inputs(inputs) {}
  double read(const kernel::Access& access, std::span<const std::int64_t> point) override {
    const kernel::Tensor& tensor = m_kernel.tensor(access.tensor);
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      const std::int64_t at = access.indices[d].evaluate(point);
      // Outside of the domain, nothing uses the element.
      if (at < 0 || at >= tensor.shape[d]) return -1;
      flat = flat * tensor.shape[d] + at;
    }
    return m_inputs.find(tensor.name)->second.data[static_cast<std::size_t>(flat)];
  }

 private:
  const kernel::Kernel& m_kernel;
  const kernel::TensorValues& m_inputs;
};

}  // namespace

// The elements that the points of the current ranges gather. Indices outside of the tensor may
// stand where no iteration uses them.
void ValueMachine::forGathered(const kernel::Operand& operand,
                               const std::function<void(std::int64_t)>& visit) const {
  InputReader reader(m_kernel, m_inputs);
  std::vector<std::int64_t> point;
  for (const kernel::LoopRange& range : m_ranges) point.push_back(range.begin);
  for (;;) {
    const std::int64_t flat = flatIndex(operand.gather->access, point, &reader);
    if (flat >= 0) visit(flat);
    std::size_t at = operand.loops.size();
    while (at > 0) {
      const std::size_t l = operand.loops[at - 1].index();
      if (++point[l] < m_ranges[l].end) break;
      point[l] = m_ranges[l].begin;
      --at;
    }
    if (at == 0) return;
  }
}

}  // namespace gridloom::values
