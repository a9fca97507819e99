// SPDX-License-Identifier: Apache-2.0
#include "exchange/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <system_error>

namespace gridloom::exchange {

namespace fs = std::filesystem;

namespace {

constexpr fs::perms kWritable =
    fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;

base::Diagnostics failed(const std::string& path, const std::string& why) {
  return {base::plainError("cannot write " + path + ": " + why,
                           "name a file in an existing folder that you may write to")};
}

base::Diagnostics writeInto(const fs::path& file, const std::string& path,
                            const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!out) return failed(path, std::strerror(errno));
  write(out);
  out.close();
  if (!out) return failed(path, errno != 0 ? std::strerror(errno) : "the write was cut short");
  return {};
}

/// The file that a link names, so that it is replaced and not the link; it need not be there yet.
fs::path behindLinks(fs::path path) {
  constexpr int kMostLinks = 40;  // as the system follows them
  std::error_code error;
  for (int links = 0; links < kMostLinks && fs::is_symlink(path, error); ++links) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

/// A name beside the target that no other run takes.
fs::path temporaryBeside(const fs::path& target) {
  std::random_device random;
  fs::path beside = target;
  beside += ".part" + std::to_string(random());
  return beside;
}

}  // namespace

base::Diagnostics writeFile(const std::string& path,
                            const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return failed(path, "it is a directory");
  // Asked of the path as written: what /dev/stdout leads to may have no name of its own.
  if (fs::exists(status) && !fs::is_regular_file(status)) return writeInto(path, path, write);
  if (fs::exists(status) && (status.permissions() & kWritable) == fs::perms::none) {
    return failed(path, "it is write-protected");
  }
  const fs::path target = behindLinks(path);
  const fs::path temporary = temporaryBeside(target);
  base::Diagnostics errors = writeInto(temporary, path, write);
  if (errors.empty()) {
    if (fs::exists(status)) fs::permissions(temporary, status.permissions(), error);
    fs::rename(temporary, target, error);
    if (error) errors = failed(path, error.message());
  }
  if (!errors.empty()) fs::remove(temporary, error);
  return errors;
}

base::Diagnostics writeFile(const std::string& path, std::string_view text) {
  return writeFile(path, [text](std::ostream& out) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
}

}  // namespace gridloom::exchange
