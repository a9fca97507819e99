// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridloom::exchange {

/// Runs the roles of an exported HLS program in software: on one thread, each on a stack of its
/// own, in turn. An array of 32 x 32 places, with its drainers over 2,000 roles, needs no threads.
inline constexpr const char* kHlsRoles = R"cpp(
// ---- gridloom_roles.h: roles side by side, run in software ----
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

namespace hls {

// A function that runs on a stack of its own, until a stream makes it wait.
struct Role {
  std::function<void()> code;
  std::unique_ptr<char[]> stack{new char[kStack]};
  ucontext_t at{};
  bool done = false;
  static constexpr std::size_t kStack = 1 << 16;
};
inline ucontext_t scheduler;
inline Role* running = nullptr;
inline bool moved = false;  // a word, since all roles had their turn
inline void wait() { swapcontext(&running->at, &scheduler); }

// All roles side by side, one turn after the other.
class Roles {
  std::deque<Role> all;
  static void enter() {
    running->code();
    running->done = moved = true;
    wait();
  }
 public:
  void start(std::function<void()> code) {
    Role& role = all.emplace_back(std::move(code));
    getcontext(&role.at);
    role.at.uc_stack.ss_sp = role.stack.get();
    role.at.uc_stack.ss_size = Role::kStack;
    makecontext(&role.at, enter, 0);
  }
  void run() {
    for (moved = true; std::exchange(moved, false);) {
      for (Role& role : all) {
        if (role.done) continue;
        running = &role;
        swapcontext(&scheduler, &role.at);
      }
    }
    for (Role& role : all) if (!role.done) std::exit((std::puts("deadlock"), 1));
  }
};

}  // namespace hls
// ---- end of gridloom_roles.h ----
)cpp";

/// The header of all exported HLS programs, `gridloom_hls.h`. It stands inside of each program, so
/// that one file is all there is to compile. At most 60 lines of code.
inline constexpr const char* kHlsRuntime = R"cpp(
// ---- gridloom_hls.h: streams and tiles ----
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace hls {

// A FIFO of `depth` words: write waits while it is full, read while it is empty.
template <class Word, std::size_t depth = 16> class Stream {
  std::deque<Word> words;
 public:
  void write(Word word) {
    while (words.size() == depth) wait();
    words.push_back(word);
    moved = true;
  }
  Word read() {
    while (words.empty()) wait();
    const Word word = words.front();
    words.pop_front();
    moved = true;
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
