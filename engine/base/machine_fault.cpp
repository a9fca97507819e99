// SPDX-License-Identifier: Apache-2.0
#include "base/machine_fault.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/number_text.h"

namespace gridloom::base {

namespace {

[[maybe_unused]] void* allocate(std::size_t bytes) {
  if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  g_refusedBytes.store(bytes, std::memory_order_relaxed);
  throw std::bad_alloc();
}

/// Bytes of address space in use; 0 where the system does not report them.
double addressSpace() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

Diagnostic outOfMemory() {
  const auto refused = static_cast<double>(g_refusedBytes.load(std::memory_order_relaxed));
  std::string message = "out of memory: ";
  if (refused > 0) message += bytesText(refused) + " more were asked for; ";
  struct rlimit most = {};
  if (getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY) {
    message += bytesText(static_cast<double>(most.rlim_cur)) + " may be used (`ulimit -v`), and " +
               bytesText(addressSpace()) + " are";
  } else {
    message += "the machine has " +
               bytesText(static_cast<double>(sysconf(_SC_PAGESIZE)) *
                         static_cast<double>(sysconf(_SC_PHYS_PAGES))) +
               ", and this program has " + bytesText(addressSpace());
  }
  return plainError(std::move(message), "smaller sizes and fewer threads need less");
}

/// Whether the error comes from the system, or from oneTBB, for a thread that fails to start.
/// oneTBB has no exception type of its own for it.
bool isOutOfThreads(const std::runtime_error& error) {
  const auto* coded = dynamic_cast<const std::system_error*>(&error);
  return coded != nullptr
             ? coded->code() == std::errc::resource_unavailable_try_again
             : std::string_view(error.what()).find("pthread_create") != std::string_view::npos;
}

Diagnostic outOfThreads() {
  struct rlimit most = {};
  const bool limited = getrlimit(RLIMIT_NPROC, &most) == 0 && most.rlim_cur != RLIM_INFINITY;
  return plainError(
      "the system gives no more threads: one for each of " +
          std::to_string(std::thread::hardware_concurrency()) + " processors was asked for" +
          (limited ? ", and " + std::to_string(most.rlim_cur) + " processes may run (`ulimit -u`)"
                   : ""),
      "end other programs, or raise the limit");
}

Diagnostic internalError(const std::exception& error) {
  return plainError(std::string("internal error: ") + error.what(),
                    "please report this with the command that led to it");
}

}  // namespace

ExitStatus runGuarded(const std::function<ExitStatus()>& program,
                      const std::function<void(const Diagnostic&)>& print) {
  // Without this, a file that exceeds `ulimit -f` kills the process. Now the write fails and is
  // reported.
  signal(SIGXFSZ, SIG_IGN);
  try {
    return program();
  } catch (const std::bad_alloc&) {
    print(outOfMemory());
    return ExitStatus::Machine;
  } catch (const std::runtime_error& error) {
    if (isOutOfThreads(error)) {
      print(outOfThreads());
      return ExitStatus::Machine;
    }
    print(internalError(error));
  } catch (const std::exception& error) {
    print(internalError(error));
  }
  return ExitStatus::Internal;
}

}  // namespace gridloom::base

// The other forms of operator new in the standard library call these. Sanitizers replace them all
// and must keep theirs.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void* operator new(std::size_t bytes) { return gridloom::base::allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif
