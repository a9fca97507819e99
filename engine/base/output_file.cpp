// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <ostream>
#include <system_error>

#include "base/fd_stream.h"
#include "base/file_identity.h"
#include "base/number_text.h"
#include "base/replacement_file.h"

namespace gridloom::base {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kWritable = S_IWUSR | S_IWGRP | S_IWOTH;
constexpr mode_t kPermissions = 07777;

/// A failed write: the `errno`, and the total size.
struct Failure {
  int error = 0;
  std::int64_t bytes = 0;
};

std::string sizeText(std::int64_t bytes) { return bytesText(static_cast<double>(bytes)); }

/// The requested and the available space.
std::string shortage(const std::string& path, const Failure& failure) {
  std::string out = "it has " + sizeText(failure.bytes);
  struct rlimit most = {};
  struct statvfs disk = {};
  std::error_code ignored;
  const fs::path folder = behindLinks(path).parent_path();
  const bool onDisk = !fs::exists(path, ignored) || fs::is_regular_file(path, ignored);
  if (failure.error == EFBIG && getrlimit(RLIMIT_FSIZE, &most) == 0) {
    return out + ", and files may have " + sizeText(static_cast<std::int64_t>(most.rlim_cur)) +
           " here (`ulimit -f`)";
  }
  if (failure.error == ENOSPC && onDisk &&
      statvfs(folder.empty() ? "." : folder.c_str(), &disk) == 0) {
    out += ", and the disk has " +
           sizeText(static_cast<std::int64_t>(disk.f_bavail) *
                    static_cast<std::int64_t>(disk.f_frsize)) +
           " left";
  }
  return out + ": make room, or name a file elsewhere";
}

Written failed(const std::string& path, const std::string& why) {
  return {{plainError("cannot write " + path + ": " + why,
                      "name a file in an existing folder that you may write to")},
          false};
}

Written failed(const std::string& path, const Failure& failure) {
  if (failure.error == EBUSY) return failed(path, "another run is writing it");
  if (!isMachineFault(failure.error)) return failed(path, std::strerror(failure.error));
  return {{plainError("cannot write " + path + ": " + std::strerror(failure.error),
                      shortage(path, failure))},
          true};
}

/// Runs the writer on an open file. A writer that fails by itself is an input/output error, too.
Failure writeInto(int fd, const WriteFunction& write) {
  FdStreamBuffer buffer(fd);
  std::ostream out(&buffer);
  write(out);
  int error = buffer.finish();
  if (error == 0 && !out) error = EIO;
  return {error, buffer.bytes()};
}

Written writeDirectly(const std::string& path, const WriteFunction& write) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return failed(path, Failure{errno, 0});
  Failure failure = writeInto(fd, write);
  if (close(fd) != 0 && failure.error == 0) failure.error = errno;
  return failure.error == 0 ? Written{} : failed(path, failure);
}

Written replace(const std::string& path, std::optional<mode_t> permissions,
                const WriteFunction& write) {
  ReplacementFile file(behindLinks(path));
  if (const int error = file.open(); error != 0) return failed(path, Failure{error, 0});
  Failure failure = writeInto(file.fd(), write);
  if (failure.error == 0) failure.error = file.commit(permissions);
  return failure.error == 0 ? Written{} : failed(path, failure);
}

}  // namespace

bool isMachineFault(int error) {
  constexpr std::array kFaults{ENOSPC, EDQUOT, EFBIG, EIO, ENOMEM, EMFILE, ENFILE, ENOBUFS};
  return std::ranges::find(kFaults, error) != kFaults.end();
}

Written writeFile(const std::string& path, const WriteFunction& write) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return replace(path, std::nullopt, write);
  if (S_ISDIR(status.st_mode)) return failed(path, "it is a directory");
  // Checks the path as written, as the target of /dev/stdout may have no name of its own.
  if (!S_ISREG(status.st_mode)) return writeDirectly(path, write);
  if ((status.st_mode & kWritable) == 0) return failed(path, "it is write-protected");
  return replace(path, status.st_mode & kPermissions, write);
}

Written writeFile(const std::string& path, std::string_view text) {
  return writeFile(path, [text](std::ostream& out) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
}

}  // namespace gridloom::base
