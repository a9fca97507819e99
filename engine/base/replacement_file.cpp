// SPDX-License-Identifier: Apache-2.0
#include "base/replacement_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>

namespace gridloom::base {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kNewFile = 0666;  // before the umask applies

/// Short for any target name, and the same in every run (FNV-1a).
std::string temporaryName(const std::string& name) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  std::string digits;
  for (; digits.size() < 16; hash >>= 4U) digits += kDigits[hash & 15U];
  return ".gridloom-" + digits + ".part";
}

/// Whether `name` still refers to the file of `fd`: an earlier holder of the lock may have renamed
/// it.
bool isNamed(int fd, const fs::path& name) {
  struct stat opened = {};
  struct stat named = {};
  return fstat(fd, &opened) == 0 && stat(name.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// Some file systems cannot sync and report that; the file is still valid.
int syncError(int fd) {
  if (fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP) return 0;
  return errno;
}

#ifdef O_TMPFILE
std::string procPath(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

bool link(int fd, const fs::path& name) {
  return linkat(AT_FDCWD, procPath(fd).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}
#endif

}  // namespace

ReplacementFile::ReplacementFile(fs::path target, Way way)
    : m_target(std::move(target)), m_folder(m_target.parent_path()), m_way(way) {
  if (m_folder.empty()) m_folder = ".";
  m_temporary = m_folder / temporaryName(m_target.filename().string());
}

ReplacementFile::~ReplacementFile() {
  if (m_named) unlink(m_temporary.c_str());
  if (m_fd >= 0) close(m_fd);
}

int ReplacementFile::open() {
  if (m_way == Way::Nameless && openNameless()) return 0;
  return openNamed();
}

bool ReplacementFile::openNameless() {
#ifdef O_TMPFILE
  m_fd = ::open(m_folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kNewFile);
  if (m_fd >= 0 && access(procPath(m_fd).c_str(), F_OK) == 0) return true;
  if (m_fd >= 0) close(m_fd);
  m_fd = -1;
#endif
  return false;
}

int ReplacementFile::openNamed() {
  while (true) {
    m_fd = ::open(m_temporary.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, kNewFile);
    if (m_fd < 0) return errno;
    if (flock(m_fd, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK ? EBUSY : errno;
    if (isNamed(m_fd, m_temporary)) break;
    close(m_fd);
  }
  m_named = true;
  return ftruncate(m_fd, 0) == 0 ? 0 : errno;
}

int ReplacementFile::commit(std::optional<mode_t> permissions) {
  if (permissions && fchmod(m_fd, *permissions) != 0) return errno;
  int error = syncError(m_fd);
  if (error == 0) error = publish();
  if (error == 0) syncFolder();
  return error;
}

int ReplacementFile::publish() {
#ifdef O_TMPFILE
  if (!m_named) {
    if (link(m_fd, m_target)) return 0;
    if (errno != EEXIST) return errno;
    // A link cannot replace an existing file, so the file gets a temporary name first.
    while (!link(m_fd, m_temporary)) {
      if (errno != EEXIST || unlink(m_temporary.c_str()) != 0) return errno;
    }
    m_named = true;
  }
#endif
  if (rename(m_temporary.c_str(), m_target.c_str()) != 0) {
    const int error = errno;
    // The temporary file is gone: another run for the same target has moved its own file, or this
    // one, into place.
    if (error != ENOENT || access(m_target.c_str(), F_OK) != 0) return error;
  }
  m_named = false;
  return 0;
}

void ReplacementFile::syncFolder() const {
  const int folder = ::open(m_folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  static_cast<void>(fsync(folder));
  close(folder);
}

}  // namespace gridloom::base
