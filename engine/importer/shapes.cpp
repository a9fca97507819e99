// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "importer/forms.h"
#include "importer/program.h"

namespace gridloom::importer {

namespace {

class Shapes {
 public:
  explicit Shapes(Program& program) : m_program(program) {}

  // To a memory: the buffers of what it held before and holds then.
  void give(const std::vector<int>& numbers) {
    Buffer& buffer = m_program.buffers[static_cast<std::size_t>(numbers.front())];
    std::vector<Linear> addresses;
    for (const Statement& statement : m_program.statements) {
      forAccesses(statement, [&](int named, const std::vector<Linear>& index) {
        if (std::ranges::find(numbers, named) != numbers.end()) addresses.push_back(index.front());
      });
      forLoads(*statement.value, [&](const Expr& load) {
        if (load.gathers.empty()) m_data.insert(load.loops.begin(), load.loops.end());
      });
    }
    if (addresses.empty()) return;
    std::int64_t last = 0;
    for (const Linear& whole : addresses) {
      const Linear address = split(whole).first;
      const auto [least, greatest] = m_program.loops.range(address);
      if (least < 0)
        throw Refusal{fmt::format("`{}` is read at {}, before its beginning", buffer.name, least),
                      "make every offset at least 0"};
      last = std::max(last, greatest);
    }
    const std::vector<std::int64_t> strides = stridesOf(addresses);
    buffer.shape.clear();
    std::int64_t outer = std::max(last + 1, buffer.outer.value_or(0) * strides.front());
    if (isOuterRead(addresses, strides.front()) && !buffer.outer)
      throw Refusal{
          fmt::format("`{}_0` has no value", buffer.name),
          fmt::format("data name rows of `{0}`: say how many there are, `--set {0}_0=128`",
                      buffer.name),
          0, 0, buffer.name + "_0"};
    for (const std::int64_t stride : strides) {
      buffer.shape.push_back((outer + stride - 1) / stride);
      outer = stride;
    }
    for (const int number : numbers) {
      Buffer& given = m_program.buffers[static_cast<std::size_t>(number)];
      given.shape = buffer.shape;
      given.flat = false;
      changeAccesses(m_program, number, [&](const std::vector<Linear>& index) {
        return divided(index.front(), strides);
      });
    }
  }

  // Dimensions that data index alone are gathered.
  void gather() {
    for (Statement& statement : m_program.statements) statement.value = gathered(statement.value);
  }

 private:
  // The form over loops, and the part over data.
  std::pair<Linear, Linear> split(const Linear& form) const {
    Linear loops = Linear::of(form.constant), data;
    for (const auto& [loop, coefficient] : form.terms)
      (m_data.contains(loop) ? data : loops).terms[loop] = coefficient;
    return {loops, data};
  }

  bool isOuterRead(const std::vector<Linear>& addresses, std::int64_t stride) const {
    return std::ranges::any_of(addresses, [&](const Linear& address) {
      const Linear data = split(address).second;
      return std::ranges::any_of(data.terms, [&](const auto& t) { return t.second >= stride; });
    });
  }

  static ExprRef gathered(const ExprRef& expr) {
    Expr copy = *expr;
    for (ExprRef& arg : copy.args) arg = gathered(arg);
    if (copy.kind != Expr::Kind::Load || copy.loops.empty()) {
      return made(std::move(copy));
    }
    for (const Loop loop : std::exchange(copy.loops, {})) {
      const auto dim = std::ranges::find_if(
          copy.index, [&](const Linear& form) { return form.asLoop() == loop; });
      if (dim == copy.index.end())
        throw Refusal{"an address adds what is read to the index of a loop",
                      "gather whole rows, or elements by their place in a row"};
      copy.gathers.push_back(static_cast<std::size_t>(dim - copy.index.begin()));
      *dim = Linear{};
    }
    return made(std::move(copy));
  }

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
    for (const auto& [loop, coefficient] : split(address).first.terms)
      if (coefficient % stride != 0) inside.terms[loop] = coefficient;
    const auto [least, greatest] = m_program.loops.range(inside);
    return least >= 0 && greatest < stride;
  }

  std::vector<Linear> divided(const Linear& address, const std::vector<std::int64_t>& strides) {
    std::vector<Linear> index;
    auto [rest, data] = split(address);
    for (const std::int64_t stride : strides) {
      Linear here;
      std::erase_if(data.terms, [&](const auto& term) {
        if (term.second % stride != 0) return false;
        here.terms[term.first] = term.second / stride;
        return true;
      });
      if (stride == 1) {
        index.push_back(rest + here);
        break;
      }
      const auto parts = m_program.loops.divide(rest, stride);
      index.push_back(parts->first + here);  // staysWithin: there are parts
      rest = parts->second;
    }
    return index;
  }

  Program& m_program;
  std::set<Loop> m_data;  ///< loops that stand for elements
};

}  // namespace

void giveShapes(Program& program) {
  Shapes shapes(program);
  for (std::size_t b = program.buffers.size(); b-- > 0;) {  // what is written names its past
    if (!program.buffers[b].flat) continue;
    std::vector<int> numbers{static_cast<int>(b)};
    if (program.buffers[b].before >= 0) numbers.push_back(program.buffers[b].before);
    shapes.give(numbers);
  }
  shapes.gather();
  normalise(program);
}

}  // namespace gridloom::importer
