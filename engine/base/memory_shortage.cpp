// SPDX-License-Identifier: Apache-2.0
#include "base/memory_shortage.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <new>

#include "base/number_text.h"

namespace gridloom::base {

namespace {

void* allocate(std::size_t bytes) {
  if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  g_refusedBytes.store(bytes, std::memory_order_relaxed);
  throw std::bad_alloc();
}

/// Bytes of address space in use; 0 where the system does not tell.
double addressSpace() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::string memoryShortage() {
  const auto refused = static_cast<double>(g_refusedBytes.load(std::memory_order_relaxed));
  std::string out = refused > 0 ? bytesText(refused) + " more were asked for; " : "";
  struct rlimit most = {};
  if (getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY) {
    return out + bytesText(static_cast<double>(most.rlim_cur)) +
           " may be used (`ulimit -v`), and " + bytesText(addressSpace()) + " are";
  }
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
  return out + "the machine has " + bytesText(page * static_cast<double>(sysconf(_SC_PHYS_PAGES))) +
         ", and this program has " + bytesText(addressSpace());
}

}  // namespace gridloom::base

// Those of the standard library call these.
void* operator new(std::size_t bytes) { return gridloom::base::allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
