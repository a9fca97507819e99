// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridloom::exchange {

/// Values of inputs, those of kernel::sampleInputs, and the comparison of outputs.
inline constexpr const char* kCppValues = R"cpp(
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}
// Numbers in [-1, 1), or from 0.5 on where they are positive.
inline void fill(Values& values, const char* name, bool positive) {
  std::uint64_t stream = mix(1);
  for (; *name != 0; ++name) stream = mix(stream ^ static_cast<unsigned char>(*name));
  for (double& v : values) {
    v = double(mix(stream++) >> 11) * 0x1.0p-52 - 1;
    if (positive) v = 0.5 + std::abs(v) / 2;
  }
}
inline void makeIndices(Values& values, long range) {
  for (double& v : values) v = std::min(double(range - 1), std::floor((v + 1) / 2 * double(range)));
}
// Of matrices of rows x columns, one after the other.
inline void mirror(Values& values, long n) {
  for (long e = 0; e < long(values.size()); ++e) {
    const long row = e / n % n, column = e % n;
    if (row < column) values[std::size_t(e + (column - row) * (n - 1))] = values[std::size_t(e)];
  }
}
inline void addToDiagonal(Values& values, long rows, long columns) {
  for (long e = 0; e < long(values.size()); ++e) {
    if (e / columns % rows == e % columns) values[std::size_t(e)] += double(columns);
  }
}

// A tensor of the kernel as it is written: every element is computed when it is first needed.
struct Lazy {
  std::vector<std::function<double()>> how;
  std::vector<char> known;
  Values values;
  explicit Lazy(std::size_t size) : how(size), known(size, 0), values(size, 0) {}
  struct Element {
    Lazy* of;
    std::size_t at;
  };
  static constexpr int kDeepest = 500;
  inline static int depth = 0;
  double get(long e) {
    const auto at = static_cast<std::size_t>(e);
    if (known[at] != 0) return values[at];
    if (depth == kDeepest) throw Element{this, at};
    ++depth;
    struct Leave { ~Leave() { --depth; } } leave;
    values[at] = how[at]();
    known[at] = 1;
    return values[at];
  }
  // State may depend on itself over thousands of steps: what is too deep for the stack comes first.
  double evaluate(long e) {
    std::vector<Element> open{{this, std::size_t(e)}};
    while (!open.empty()) {
      try {
        open.back().of->get(long(open.back().at));
        open.pop_back();
      } catch (const Element& deep) {
        open.push_back(deep);
      }
    }
    return values[std::size_t(e)];
  }
};

inline double difference(const Values& got, Lazy& expected) {
  double most = 0;
  for (std::size_t n = 0; n < got.size(); ++n) {
    const double e = expected.evaluate(long(n)), d = std::abs(got[n] - e) / (1 + std::abs(e));
    if (isNothing(got[n])) return INFINITY;
    if (got[n] == e || (std::isnan(got[n]) && std::isnan(e))) continue;
    if (std::isnan(d)) return INFINITY;
    most = std::max(most, d);
  }
  return most;
}
)cpp";

/// The functions of the kernel language; they need <algorithm> and <cmath>.
inline constexpr const char* kCppFunctions = R"cpp(
namespace f {
inline double exp_(double x) { return std::exp(x); }
inline double exp2_(double x) { return std::exp2(x); }
inline double log_(double x) { return std::log(x); }
inline double sqrt_(double x) { return std::sqrt(x); }
inline double rsqrt_(double x) { return 1 / std::sqrt(x); }
inline double tanh_(double x) { return std::tanh(x); }
inline double sigmoid_(double x) { return 1 / (1 + std::exp(-x)); }
inline double relu_(double x) { return std::max(x, 0.0); }
inline double abs_(double x) { return std::abs(x); }
inline double erf_(double x) { return std::erf(x); }
inline double sin_(double x) { return std::sin(x); }
inline double cos_(double x) { return std::cos(x); }
inline double floor_(double x) { return std::floor(x); }
inline double ceil_(double x) { return std::ceil(x); }
inline double max_(double x, double y) { return std::max(x, y); }
inline double min_(double x, double y) { return std::min(x, y); }
inline double pow_(double x, double y) { return std::pow(x, y); }
inline double div_(double x, double y) { return std::floor(x / y); }
inline double mod_(double x, double y) { return x - y * std::floor(x / y); }
}  // namespace f
)cpp";

}  // namespace gridloom::exchange
