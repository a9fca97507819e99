// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridloom::exchange {

/// The header of all exported HLS programs, `gridloom_hls.h`. It stands inside of each program, so
/// that one file is all there is to compile. At most 60 lines of code.
inline constexpr const char* kHlsRuntime = R"cpp(
// ---- gridloom_hls.h: streams, tiles and processes, run in software ----
#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace hls {

// A FIFO of `depth` words: write waits while it is full, read while it is empty.
template <class Word, std::size_t depth = 16> class Stream {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<Word> words;
 public:
  void write(Word word) {
    std::unique_lock hold(lock);
    changed.wait(hold, [&] { return words.size() < depth; });
    words.push_back(word);
    changed.notify_all();
  }
  Word read() {
    std::unique_lock hold(lock);
    changed.wait(hold, [&] { return !words.empty(); });
    const Word word = words.front();
    words.pop_front();
    changed.notify_all();
    return word;
  }
};

// A box of a tensor's elements, of fixed size, indexed as the tensor is.
template <long... size> struct Tile {
  static constexpr long dims = sizeof...(size), extent[] = {size..., 1}, count = (1 * ... * size);
  long low[dims + 1] = {};
  double data[count] = {};
  long place(const long* index) const {  // -1: not in the box
    long n = 0;
    for (long d = 0; d < dims; n = n * extent[d] + index[d] - low[d], ++d) {
      if (index[d] < low[d] || index[d] >= low[d] + extent[d]) return -1;
    }
    return n;
  }
  template <class... Index> double& operator()(Index... index) {
    const long at[] = {long(index)..., 0};
    return data[place(at)];
  }
  // Calls f(an element here, the same element there) for all that both boxes have.
  template <class Other, class F> void meet(Other& other, F f) {
    for (long n = 0; n < count; ++n) {
      long index[dims + 1] = {};
      for (long d = dims, r = n; d-- > 0; r /= extent[d]) index[d] = low[d] + r % extent[d];
      if (const long at = other.place(index); at >= 0) f(data[n], other.data[at]);
    }
  }
};

// Calls f with the constants 0 to n - 1: a loop unrolled into hardware.
template <long n, class F> void unroll(F f) {
  [&]<long... i>(std::integer_sequence<long, i...>) {
    (f(std::integral_constant<long, i>()), ...);
  }(std::make_integer_sequence<long, n>());
}

}  // namespace hls
// ---- end of gridloom_hls.h ----
)cpp";

}  // namespace gridloom::exchange
