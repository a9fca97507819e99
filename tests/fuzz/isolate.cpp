// SPDX-License-Identifier: Apache-2.0
#include "isolate.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

namespace gridloom::fuzz {

namespace {

/// What the process of the inputs leaves to the one that watches it.
struct Shared {
  std::size_t input = 0;
  std::array<char, 2000> reason{};
};

Shared* makeShared() {
  void* const memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return new (memory) Shared;
}

/// Sanitizers map terabytes that they do not use.
void limitMemory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  constexpr rlim_t kMost = rlim_t{2} << 30U;
  const struct rlimit most { kMost, kMost };
  setrlimit(RLIMIT_AS, &most);
#endif
}

void limitTime() {
  const struct itimerval most {
    {0, 0}, { kSeconds, 0 }
  };
  setitimer(ITIMER_VIRTUAL, &most, nullptr);  // ends the process by SIGVTALRM
}

std::string reasonOf(std::size_t input, const Check& check) {
  try {
    return check(input);
  } catch (const std::bad_alloc&) {
    return "out of 2 GiB of memory";
  } catch (const std::exception& error) {
    return std::string("exception: ") + error.what();
  }
}

[[noreturn]] void checkAll(std::size_t begin, std::size_t end, const Check& check, Shared& shared) {
  limitMemory();
  for (shared.input = begin; shared.input < end; ++shared.input) {
    limitTime();
    const std::string reason = reasonOf(shared.input, check);
    if (reason.empty()) continue;
    std::strncpy(shared.reason.data(), reason.c_str(), shared.reason.size() - 1);
    _exit(1);
  }
  _exit(0);
}

std::string endText(int status) {
  if (WIFEXITED(status)) return "ended with status " + std::to_string(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGVTALRM) return "took more than " + std::to_string(kSeconds) + " s";
  return std::string("signal: ") + strsignal(WTERMSIG(status));
}

}  // namespace

std::optional<Failure> firstFailure(std::size_t begin, std::size_t end, const Check& check) {
  static Shared* const shared = makeShared();
  *shared = {};
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) checkAll(begin, end, check, *shared);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  const std::string reason(shared->reason.data());
  return Failure{shared->input, reason.empty() ? endText(status) : reason};
}

}  // namespace gridloom::fuzz
