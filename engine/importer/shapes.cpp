// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "importer/forms.h"
#include "importer/program.h"

namespace gridloom::importer {

namespace {

class Shapes {
 public:
  explicit Shapes(Program& program) : m_program(program) {}

  void give(int number) {
    Buffer& buffer = m_program.buffers[static_cast<std::size_t>(number)];
    std::vector<Linear> addresses;
    for (const Statement& statement : m_program.statements) {
      forAccesses(statement, [&](int named, const std::vector<Linear>& index) {
        if (named == number) addresses.push_back(index.front());
      });
    }
    if (addresses.empty()) return;
    std::int64_t last = 0;
    for (const Linear& address : addresses) {
      const auto [least, greatest] = m_program.loops.range(address);
      if (least < 0)
        throw Refusal{fmt::format("`{}` is read at {}, before its beginning", buffer.name, least),
                      "make every offset at least 0"};
      last = std::max(last, greatest);
    }
    const std::vector<std::int64_t> strides = stridesOf(addresses);
    buffer.shape.clear();
    std::int64_t outer = last + 1;
    for (const std::int64_t stride : strides) {
      buffer.shape.push_back((outer + stride - 1) / stride);
      outer = stride;
    }
    changeAccesses(m_program, number, [&](const std::vector<Linear>& index) {
      return divided(index.front(), strides);
    });
    buffer.flat = false;
  }

 private:
  // Outermost first, down to 1. A coefficient is a stride where what lies inside of it never
  // reaches the next multiple.
  std::vector<std::int64_t> stridesOf(const std::vector<Linear>& addresses) const {
    std::set<std::int64_t> coefficients;
    for (const Linear& address : addresses) {
      for (const auto& [loop, coefficient] : address.terms)
        if (coefficient > 1) coefficients.insert(coefficient);
    }
    std::vector<std::int64_t> strides{1};
    for (const std::int64_t stride : coefficients) {
      const bool fits = std::ranges::all_of(
          addresses, [&](const Linear& address) { return staysWithin(address, stride); });
      if (fits && stride % strides.back() == 0) strides.push_back(stride);
    }
    std::ranges::reverse(strides);
    return strides;
  }

  bool staysWithin(const Linear& address, std::int64_t stride) const {
    Linear inside = Linear::of(address.constant % stride);
    for (const auto& [loop, coefficient] : address.terms)
      if (coefficient % stride != 0) inside.terms[loop] = coefficient;
    const auto [least, greatest] = m_program.loops.range(inside);
    return least >= 0 && greatest < stride;
  }

  std::vector<Linear> divided(const Linear& address, const std::vector<std::int64_t>& strides) {
    std::vector<Linear> index;
    Linear rest = address;
    for (const std::int64_t stride : strides) {
      if (stride == 1) {
        index.push_back(rest);
        break;
      }
      const auto parts = m_program.loops.divide(rest, stride);
      index.push_back(parts->first);  // staysWithin: there are parts
      rest = parts->second;
    }
    return index;
  }

  Program& m_program;
};

}  // namespace

void giveShapes(Program& program) {
  Shapes shapes(program);
  for (std::size_t b = 0; b < program.buffers.size(); ++b) {
    if (program.buffers[b].flat) shapes.give(static_cast<int>(b));
  }
  normalise(program);
}

}  // namespace gridloom::importer
