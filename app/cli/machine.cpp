// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <sys/resource.h>

#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/memory_shortage.h"

namespace gridloom::cli {

namespace {

/// oneTBB has no type of its own for a thread that it cannot start.
bool isOfPool(const std::runtime_error& error) {
  return std::string_view(error.what()).find("pthread_create") != std::string_view::npos;
}

}  // namespace

Exit outOfMemory() {
  printError("out of memory: " + base::memoryShortage(),
             "smaller sizes, fewer `--threads` or `--memory-limit` need less");
  return Exit::Machine;
}

bool isOfSystem(const std::runtime_error& error) {
  return dynamic_cast<const std::system_error*>(&error) != nullptr || isOfPool(error);
}

Exit refusedBySystem(const std::runtime_error& error) {
  std::string what = error.what();
  struct rlimit most = {};
  const auto* coded = dynamic_cast<const std::system_error*>(&error);
  const bool ofThreads =
      coded == nullptr || coded->code() == std::errc::resource_unavailable_try_again;
  if (ofThreads && getrlimit(RLIMIT_NPROC, &most) == 0) {
    what = "the system gives no more threads: one for each of " +
           std::to_string(std::thread::hardware_concurrency()) + " processors was asked for, and " +
           (most.rlim_cur == RLIM_INFINITY ? "any number"
                                           : std::to_string(most.rlim_cur) + " processes") +
           " may run (`ulimit -u`)";
  }
  printError(what, ofThreads ? "`--threads 1` needs the fewest" : "");
  return Exit::Machine;
}

}  // namespace gridloom::cli
