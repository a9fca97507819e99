// SPDX-License-Identifier: Apache-2.0
#include "support/random_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "fuzz/random.h"

namespace gridloom::test {

namespace {

using Names = std::vector<std::string>;

constexpr int kDepth = 4;

/// A loop runs over one of three sizes: `i` and `a` over N.
struct Range {
  std::array<std::string_view, 2> loops;
  std::string_view size;
};
constexpr std::array<Range, 3> kRanges{{{{"i", "a"}, "N"}, {{"j", "b"}, "M"}, {{"k", "c"}, "K"}}};

std::size_t rangeOf(const std::string& loop) {
  const auto at = std::ranges::find_if(kRanges, [&](const Range& range) {
    return range.loops[0] == loop || range.loops[1] == loop;
  });
  return static_cast<std::size_t>(at - kRanges.begin());
}

/// A tensor that statements may read: the ranges of its dimensions.
struct Shape {
  std::string name;
  std::vector<std::size_t> ranges;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : m_random(seed) {}

  std::string run() {
    constexpr std::array sizes{1, 2, 3, 4, 5, 6, 8};
    const auto size = [&] { return sizes[m_random.below(sizes.size())]; };
    std::string text = fmt::format("kernel r(N = {}, M = {}, K = {}) {{\n", size(), size(), size());
    for (const Range& range : kRanges) {
      for (const std::string_view loop : range.loops)
        text += fmt::format("  for {} in 0..{}\n", loop, range.size);
    }
    m_known = {{"A", {0, 1}}, {"B", {1, 2}}, {"C", {0, 2}}, {"v", {0}}, {"w", {1}}, {"u", {2}}};
    for (const Shape& input : m_known) text += declared("tensor", input) + '\n';
    text += "  tensor g[N]: i32\n";
    const std::size_t locals = m_random.below(4), outputs = 1 + m_random.below(2);
    for (std::size_t n = 0; n < locals; ++n) text += statement("local", fmt::format("t{}", n));
    for (std::size_t n = 0; n < outputs; ++n) text += statement("tensor", fmt::format("Y{}", n));
    return text + "}\n";
  }

 private:
  static std::string declared(std::string_view role, const Shape& shape) {
    Names sizes;
    for (const std::size_t range : shape.ranges) sizes.emplace_back(kRanges[range].size);
    if (sizes.empty()) sizes.emplace_back("1");
    return fmt::format("  {} {}[{}]: f64", role, shape.name, fmt::join(sizes, ", "));
  }

  template <class Values> auto pick(const Values& values) {
    return values[m_random.below(std::size(values))];
  }

  std::string loopOf(std::size_t range) {
    return std::string(kRanges[range].loops[m_random.oneIn(4) ? 1 : 0]);
  }

  std::string statement(std::string_view role, const std::string& name) {
    Shape shape{name, {}};
    for (std::size_t range = 0; range < kRanges.size(); ++range) {
      if (m_random.oneIn(2)) shape.ranges.push_back(range);
    }
    Names loops;
    for (const std::size_t range : shape.ranges) loops.push_back(loopOf(range));
    if (m_random.oneIn(3)) std::ranges::reverse(loops), std::ranges::reverse(shape.ranges);
    const bool isState = !loops.empty() && m_random.oneIn(6);
    const std::string initial = isState && role == "local" ? " = 0" : "";
    m_reduced.clear();
    std::string value = expression(loops, kDepth);
    if (isState) value = stateOf(name, loops, role == "local") + " + " + value;
    const std::string target = loops.empty() ? "0" : fmt::format("{}", fmt::join(loops, ", "));
    std::string text = declared(role, shape) + initial + '\n';
    text += fmt::format("  {}[{}] = {}{}\n", name, target, value, bounds(loops));
    m_known.push_back(std::move(shape));
    return text;
  }

  // An earlier element of the tensor itself.
  static std::string stateOf(const std::string& name, Names loops, bool hasInitial) {
    const std::string along = loops.back();
    loops.back() += " - 1";
    const std::string before = fmt::format("0.5 * {}[{}]", name, fmt::join(loops, ", "));
    return hasInitial ? before : fmt::format("select({} >= 1, {}, 0)", along, before);
  }

  // Limits of reductions only: all elements are defined.
  std::string bounds(const Names& targets) {
    if (m_reduced.empty() || !m_random.oneIn(3)) return "";
    const std::string loop = pick(m_reduced);
    Names others = targets;
    others.insert(others.end(), m_reduced.begin(), m_reduced.end());
    const std::string other = m_random.oneIn(2) ? pick(others) : std::to_string(m_random.below(9));
    return fmt::format(" where {} {} {}", loop, pick(kComparisons), other);
  }

  // An expression of these loops.
  std::string expression(const Names& loops, int depth) {
    if (depth == 0) return leaf(loops);
    const auto sub = [&] { return expression(loops, depth - 1); };
    switch (m_random.below(14)) {
    case 0:
      return fmt::format("({} + {})", sub(), sub());
    case 1:
      return fmt::format("({} - {})", sub(), sub());
    case 2:
      return fmt::format("{} * {}", sub(), sub());
    case 3:
      return fmt::format("({}) / 4", sub());
    case 4:
      return fmt::format("{}({}, {})", m_random.oneIn(2) ? "max" : "min", sub(), sub());
    case 5:
      return fmt::format("sigmoid({})", sub());
    case 6:
    case 7:
      return fmt::format("select({}, {}, {})", condition(loops), sub(), sub());
    case 8:
    case 9:
    case 10:
    case 11:
      return reduction(loops, depth);
    default:
      return leaf(loops);
    }
  }

  std::string condition(const Names& loops) {
    const std::string left = loops.empty() || m_random.oneIn(4) ? leaf(loops) : pick(loops);
    const std::string right = m_random.oneIn(2) ? std::to_string(m_random.below(5)) : leaf(loops);
    return fmt::format("{} {} {}", left, pick(kComparisons), right);
  }

  std::string reduction(const Names& loops, int depth) {
    Names over;
    for (std::size_t range = 0; range < kRanges.size(); ++range) {
      const std::string loop = loopOf(range);
      if (std::ranges::find(loops, loop) == loops.end() && m_random.oneIn(2)) over.push_back(loop);
    }
    if (over.empty()) return leaf(loops);
    constexpr std::array<std::string_view, 6> words{"sum", "sum", "sum", "sum", "max", "min"};
    Names all = loops;
    all.insert(all.end(), over.begin(), over.end());
    m_reduced.insert(m_reduced.end(), over.begin(), over.end());
    const std::string body = m_random.oneIn(4) ? number() : expression(all, depth - 1);
    return fmt::format("({}({}) {})", pick(words), fmt::join(over, ", "), body);
  }

  std::string number() { return pick(std::array{"2", "1", "0.5", "-3"}); }

  std::string leaf(const Names& loops) {
    if (m_random.oneIn(4)) return number();
    if (!loops.empty() && m_random.oneIn(6)) return pick(loops);
    Names reads;
    for (const Shape& tensor : m_known) {
      const std::string read = readOf(tensor, loops);
      if (!read.empty()) reads.push_back(read);
    }
    return reads.empty() ? number() : pick(reads);
  }

  // An element of a tensor by these loops; empty if they do not address one.
  std::string readOf(const Shape& tensor, const Names& loops) {
    if (tensor.ranges.empty()) return fmt::format("{}[0]", tensor.name);
    Names indices;
    for (const std::size_t range : tensor.ranges) {
      Names fit;
      std::ranges::copy_if(loops, std::back_inserter(fit),
                           [&](const std::string& loop) { return rangeOf(loop) == range; });
      if (fit.empty()) return "";
      indices.push_back(pick(fit));
    }
    const bool mayGather = tensor.name == "w" || tensor.name == "u" || tensor.name == "v";
    if (mayGather && m_random.oneIn(8)) {
      const auto at = std::ranges::find_if(loops, [](const auto& l) { return rangeOf(l) == 0; });
      if (at != loops.end()) return fmt::format("{}[g[{}]]", tensor.name, *at);
    }
    return fmt::format("{}[{}]", tensor.name, fmt::join(indices, ", "));
  }

  static constexpr std::array<std::string_view, 5> kComparisons{"<", "<=", ">", ">=", "=="};

  fuzz::Random m_random;
  std::vector<Shape> m_known;  ///< what the next statement may read
  Names m_reduced;             ///< of the present statement
};

}  // namespace

std::string randomKernel(std::uint64_t seed) { return Writer(seed).run(); }

}  // namespace gridloom::test
