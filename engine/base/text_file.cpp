// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "base/utf8.h"

namespace gridloom::base {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPart = std::size_t{1} << 20U;

/// Offset of the first byte that is not UTF-8 text; NUL is not text.
std::optional<std::size_t> firstBadByte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '\0' ? 0 : utf8Length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

Diagnostic cannotRead(const std::string& path, const std::string& why, std::string hint = {}) {
  return plainError("cannot read " + path + ": " + why, std::move(hint));
}

std::string tooLarge(std::int64_t mebibytes) {
  return "it is larger than " + std::to_string(mebibytes) + " MiB";
}

std::optional<Diagnostic> objectionTo(const std::string& path, std::int64_t mebibytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return cannotRead(path, "there is no such file", "check the spelling and the folder");
  }
  if (status.type() == fs::file_type::none) return cannotRead(path, error.message());
  if (fs::is_directory(status)) return cannotRead(path, "it is a directory", "name a file in it");
  if (!fs::is_regular_file(status)) {
    return cannotRead(path, "it is not a regular file", "copy its content to a file first");
  }
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > static_cast<std::uintmax_t>(mebibytes) << 20U) {
    return cannotRead(path, tooLarge(mebibytes));
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> loadBytes(const std::string& path, std::int64_t mebibytes) {
  if (path.empty()) return plainError("a file name is empty");
  if (path.find('\0') != std::string::npos) return plainError("a file name contains a NUL byte");
  if (const auto objection = objectionTo(path, mebibytes)) return *objection;
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return cannotRead(path, std::strerror(errno));
  const auto most = static_cast<std::size_t>(mebibytes) << 20U;
  std::string bytes;
  for (std::string part(kPart, '\0'); in && bytes.size() <= most;) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    bytes.append(part, 0, static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return cannotRead(path, std::strerror(errno));
  if (bytes.size() > most) return cannotRead(path, tooLarge(mebibytes));
  return bytes;
}

Result<SourceRef> loadTextFile(const std::string& path, std::int64_t mebibytes) {
  auto bytes = loadBytes(path, mebibytes);
  if (!bytes) return bytes.takeDiagnostics();
  std::string text = *std::move(bytes);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return cannotRead(path, "it is empty", "write a description into it first");
  }
  const auto bad = firstBadByte(text);
  SourceRef source = makeSource(path, std::move(text));
  if (bad) {
    const auto at = static_cast<std::uint32_t>(*bad);
    return errorAt(source, {at, at + 1}, "this byte is not UTF-8 text", "save the file as UTF-8");
  }
  return source;
}

}  // namespace gridloom::base
