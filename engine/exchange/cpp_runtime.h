// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridloom::exchange {

/// The part that all exported C++ programs have in common: tiles, buffers, channels, processes.
/// Every wait is for one condition under one lock, so a program waits as its schedule says and no
/// other way. Processes are coroutines, shared out among a few threads: a mesh of 32 x 32 cores has
/// several thousand of them.
inline constexpr const char* kCppRuntime = R"cpp(
#include <algorithm>
#include <bit>
#include <cmath>
#include <condition_variable>
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

[[noreturn]] inline void fail(const char* what, const char* name, long element) {
  std::printf("%s: %s, element %ld\n", what, name, element);
  std::fflush(stdout);
  std::_Exit(1);
}

// The row-major number of an element; -1 outside of the shape.
template <long... Shape, class... Index> long number(Index... index) {
  [[maybe_unused]] bool inside = true;
  long n = 0;
  ((inside = inside && index >= 0 && index < Shape, n = n * Shape + index), ...);
  return inside ? n : -1;
}

// Elements of a tensor by their numbers: a table with open addresses.
class Tile {
 public:
  const double* find(long e) const {
    if (m_count == 0 || e < 0) return nullptr;
    const std::size_t at = placeOf(e);
    return m_keys[at] == e ? &m_values[at] : nullptr;
  }
  double& at(long e) {  // 0 where it is new
    if (2 * (m_count + 1) > m_keys.size()) grow();
    const std::size_t at = placeOf(e);
    if (m_keys[at] != e) {
      m_keys[at] = e;
      m_values[at] = 0;
      ++m_count;
    }
    return m_values[at];
  }
  template <class F> void each(F f) const {
    for (std::size_t at = 0; at < m_keys.size(); ++at) {
      if (m_keys[at] >= 0) f(m_keys[at], m_values[at]);
    }
  }
  void clear() {
    if (m_count > 0) m_keys.assign(m_keys.size(), -1);
    m_count = 0;
  }

 private:
  std::size_t placeOf(long e) const {
    std::size_t at = static_cast<std::size_t>(e) * 0x9E3779B97F4A7C15u >> 20;
    while (m_keys[at &= m_keys.size() - 1] >= 0 && m_keys[at] != e) ++at;
    return at;
  }
  void grow() {
    Tile larger;
    larger.m_keys.assign(std::max<std::size_t>(16, 2 * m_keys.size()), -1);
    larger.m_values.resize(larger.m_keys.size());
    each([&](long e, double v) { larger.at(e) = v; });
    *this = std::move(larger);
  }
  std::vector<long> m_keys;
  std::vector<double> m_values;
  std::size_t m_count = 0;
};

// What a buffer's slot holds: a tile, and partial results of other tensors that travel with it.
struct Slot {
  Tile tile;
  std::map<int, Tile> sums;
};

std::mutex lock;
std::condition_variable changed;
long changes = 0;
template <class Change> void change(Change what) {
  const std::lock_guard hold(lock);
  what();
  ++changes;
  changed.notify_all();
}

// A process of a core. It is suspended where it waits.
struct Process {
  struct promise_type {
    const std::function<bool()>* waits = nullptr;
    Process get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> at;
};

// A wait for a condition, and what is changed then. Only the process that waits can undo it.
struct Until {
  std::function<bool()> condition;
  std::function<void()> then = [] {};
  bool await_ready() const {
    const std::lock_guard hold(lock);
    return condition();
  }
  void await_suspend(std::coroutine_handle<Process::promise_type> process) const {
    process.promise().waits = &condition;
  }
  void await_resume() const { change(then); }
};

// Runs processes until all have ended. `workers` threads share all processes out.
long workers = 0, idle = 0, idleAt = -1;
inline void work(std::vector<Process> mine) {
  std::unique_lock hold(lock);
  while (!mine.empty()) {
    const long seen = changes;
    bool moved = false;
    for (Process& process : mine) {
      auto& waits = process.at.promise().waits;
      if (waits != nullptr && !(*waits)()) continue;
      waits = nullptr;
      moved = true;
      hold.unlock();
      process.at.resume();
      hold.lock();
    }
    std::erase_if(mine, [](Process& process) {
      const bool done = process.at.done();
      if (done) process.at.destroy();
      return done;
    });
    if (moved) continue;
    if (std::exchange(idleAt, changes) != changes) idle = 0;
    if (++idle == workers) fail("deadlock", "processes that wait", long(mine.size()));
    changed.wait(hold, [&] { return changes != seen; });
  }
  --workers;
  ++changes;
  changed.notify_all();
}

// A ring of slots between the process that fills them and those that read them: reader 0, and a
// mover that reads what it published itself.
struct Buffer {
  std::vector<Slot> slots;
  int readers = 1;
  bool held = false;  // by compute
  long acquired = 0, filled = 0, released[2] = {0, 0};
  std::deque<long> copies{};  // of a shared copy: the owner's tiles that the core still reads
  long freed() const { return readers > 1 ? std::min(released[0], released[1]) : released[0]; }
  Slot& at(long n) { return slots[static_cast<std::size_t>(std::max(n, 0L)) % slots.size()]; }
  Slot& filling() { return at(acquired - 1); }
  Slot& reading(int reader) { return at(released[reader]); }
  Until acquire(std::function<bool()> room = [] { return true; }) {
    return {[=, this] { return acquired - freed() < long(slots.size()) && room(); },
            [this] {
              ++acquired;
              filling().tile.clear();
              filling().sums.clear();
            }};
  }
  void publish() { change([&] { ++filled; }); }
  Until waitFull(int reader) {
    return {[=, this] { return filled > released[reader]; },
            [=, this] { held = held || reader == 0; }};
  }
  void release(int reader) {
    change([&] {
      const long before = freed();
      ++released[reader];
      if (reader == 0) held = false;
      if (freed() != before && !copies.empty()) copies.pop_front();
    });
  }
};

// One end of a channel: credits given by the receiver, and tiles that are on their way to it.
struct End {
  long credits = 0;
  std::deque<Slot> sent{};
  void ready() { change([&] { ++credits; }); }
  Until receive(Buffer& into) {
    return {[this] { return !sent.empty(); },
            [&into, this] {
              sent.front().tile.each([&](long e, double v) { into.filling().tile.at(e) = v; });
              into.filling().sums.merge(sent.front().sums);
              sent.pop_front();
            }};
  }
};
inline Until credits(const std::vector<End*>& ends) {
  return {[=] { return std::ranges::all_of(ends, [](End* end) { return end->credits > 0; }); },
          [=] { for (End* end : ends) --end->credits; }};
}
inline void send(const std::vector<End*>& ends, const Slot& slot) {
  change([&] { for (End* end : ends) end->sent.push_back(slot); });
}

// Memory outside of the cores. An element without a value is a NaN that no operation returns.
constexpr std::uint64_t kNothingBits = 0x7FF8'5EED'0FF0'0001u;
constexpr double kNothing = std::bit_cast<double>(kNothingBits);
inline bool isNothing(double v) { return std::bit_cast<std::uint64_t>(v) == kNothingBits; }
using Elements = std::vector<long>;
using Values = std::vector<double>;
inline void load(const Values& from, const Elements& elements, Slot& to) {
  const std::lock_guard hold(lock);
  for (const long e : elements) {
    const double value = from[static_cast<std::size_t>(e)];
    if (!isNothing(value)) to.tile.at(e) = value;
  }
}
inline void store(const Slot& from, Values& to) {
  const std::lock_guard hold(lock);
  from.tile.each([&](long e, double v) { to[static_cast<std::size_t>(e)] = v; });
}
inline Elements sorted(Elements elements) {
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}
// The share of a tile that a core of a ring moves, counted from 0; `cores` shares are a tile.
inline Elements share(const Elements& elements, long number, long cores) {
  const long all = long(elements.size()), each = (all + cores - 1) / cores;
  const long first = std::min(all, each * ((number % cores + cores) % cores));
  return {elements.begin() + first, elements.begin() + std::min(all, first + each)};
}
inline Slot part(const Slot& of, const Elements& elements, const char* name) {
  Slot some;
  for (const long e : elements) {
    const double* value = of.tile.find(e);
    if (value == nullptr) fail("sent before it is there", name, e);
    some.tile.at(e) = *value;
  }
  return some;
}

struct Range { long lo, hi; };
inline Range first(Range all) { return {all.lo, all.lo + 1}; }
inline Range next(Range one) { return {one.lo + 1, one.lo + 2}; }
// The elements of a core's tile along a loop.
inline Range range(long wave, long way, long ways, long size, long extent) {
  const long from = (std::max(wave, 0L) * ways + way) * size;
  return {std::min(from, extent), std::min(from + size, extent)};
}
// The elements and tiles of one wave of a core, or of all cores that work together; of all waves
// where wave is -1.
struct Span { long begin, end, firstTile, lastTile; };
inline Span span(long wave, long way, long ways, long size, long extent, bool together) {
  const long tiles = (extent + size - 1) / size;
  const long from = wave < 0 ? 0 : wave * ways + (together ? 0 : way);
  const long to = wave < 0 ? tiles - 1 : std::min(tiles - 1, together ? from + ways - 1 : from);
  return {from * size, std::min(extent, (to + 1) * size), from, to};
}
// The wave that a core works on in an iteration of a loop over which tiles rotate.
inline long turned(long iteration, long round, long delay) {
  const long inRound = iteration % round;
  return iteration < 0 ? -1 : iteration - inRound + (inRound + round - delay % round) % round;
}
)cpp";

}  // namespace gridloom::exchange
