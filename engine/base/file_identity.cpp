// SPDX-License-Identifier: Apache-2.0
#include "base/file_identity.h"

#include <sys/stat.h>

#include <system_error>

namespace gridloom::base {

namespace fs = std::filesystem;

namespace {

/// The path of a file that may not exist: folders are resolved, the name is not.
fs::path resolved(const std::string& path) {
  std::error_code error;
  const fs::path file = behindLinks(path);
  const fs::path folder = fs::weakly_canonical(fs::absolute(file, error).parent_path(), error);
  return folder / file.filename();
}

}  // namespace

fs::path behindLinks(fs::path path) {
  constexpr int kMostLinks = 40;  // as many links as the system follows
  std::error_code error;
  for (int links = 0; links < kMostLinks && fs::is_symlink(path, error); ++links) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

bool isSameFile(const std::string& a, const std::string& b) {
  struct stat first = {};
  struct stat second = {};
  const bool hasFirst = stat(a.c_str(), &first) == 0;
  const bool hasSecond = stat(b.c_str(), &second) == 0;
  if (hasFirst && hasSecond) {
    return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  }
  return hasFirst == hasSecond && resolved(a) == resolved(b);
}

}  // namespace gridloom::base
