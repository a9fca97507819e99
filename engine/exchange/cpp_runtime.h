// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridloom::exchange {

/// The part that all exported C++ programs have in common: tiles, buffers, functions. Every wait
/// is for one condition under one lock, so a program waits as its schedule says and no other way.
inline constexpr const char* kCppRuntime = R"cpp(
#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

struct Range { long lo, hi; };

// A box of a tensor's elements, indexed as the tensor is.
struct Tile {
  std::vector<Range> box;
  std::vector<double> data;
  Tile() = default;
  Tile(std::vector<Range> b, double value) : box(std::move(b)) {
    long n = 1;
    for (const Range& r : box) n *= r.hi - r.lo;
    data.assign(static_cast<std::size_t>(n), value);
  }
  template <class... Index> double& operator()(Index... index) {
    long at = 0;
    std::size_t d = 0;
    ((at = at * (box[d].hi - box[d].lo) + index - box[d].lo, ++d), ...);
    return data.at(static_cast<std::size_t>(at));
  }
  // Calls f(element of this tile, the same element of the other).
  template <class F> void with(Tile& other, F f) {
    for (std::size_t n = 0; n < data.size(); ++n) {
      std::size_t rest = n, at = 0, stride = 1;
      for (std::size_t d = box.size(); d-- > 0;) {
        const auto size = static_cast<std::size_t>(box[d].hi - box[d].lo);
        at += (rest % size + static_cast<std::size_t>(box[d].lo - other.box[d].lo)) * stride;
        rest /= size;
        stride *= static_cast<std::size_t>(other.box[d].hi - other.box[d].lo);
      }
      f(data[n], other.data.at(at));
    }
  }
};

std::mutex lock;
std::condition_variable changed;
template <class Condition> void await(Condition condition) {
  std::unique_lock hold(lock);
  changed.wait(hold, condition);
}
template <class Change> void change(Change what) {
  const std::lock_guard hold(lock);
  what();
  changed.notify_all();
}

// A ring of slots between the process that fills them and those that read them.
struct Buffer {
  std::vector<Tile> slots;
  std::vector<long> released;  // per reader
  long acquired = 0, filled = 0;
  Buffer(std::size_t count, std::size_t readers) : slots(count), released(readers, 0) {}
  long freed() const {
    return released.empty() ? acquired : *std::min_element(released.begin(), released.end());
  }
  Tile& filling() { return slots[static_cast<std::size_t>(filled) % slots.size()]; }
  Tile& reading(std::size_t reader) {
    return slots[static_cast<std::size_t>(released[reader]) % slots.size()];
  }
  void acquire(Tile fresh) {
    await([&] { return acquired - freed() < static_cast<long>(slots.size()); });
    ++acquired;
    filling() = std::move(fresh);
  }
  void publish() { change([&] { ++filled; }); }
  void waitFull(std::size_t reader) { await([&] { return filled > released[reader]; }); }
  void release(std::size_t reader) { change([&] { ++released[reader]; }); }
};

// One receiving end of a channel: credits given, and tiles that arrived.
struct End {
  long credits = 0, arrived = 0;
  void ready() { change([&] { ++credits; }); }
  void receive() { await([&] { return arrived > 0; }); change([&] { --arrived; }); }
  void send(const Tile& from, Buffer& to) {
    await([&] { return credits > 0; });
    change([&] { --credits; to.filling().data = from.data; ++arrived; });
  }
};

// The elements that a core has along a loop: one tile, or all of its tiles where wave is -1.
inline Range range(long wave, long way, long waves, long ways, long size, long extent) {
  const long first = (std::max(wave, 0L) * ways + way) * size;
  const long last = ((wave < 0 ? waves - 1 : wave) * ways + way + 1) * size;
  return {first, std::min(last, extent)};
}
)cpp";

/// The functions of the kernel language; they need <algorithm> and <cmath>.
inline constexpr const char* kCppFunctions = R"cpp(
namespace f {
inline double not_(double x) { return x == 0; }
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
