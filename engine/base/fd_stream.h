// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <streambuf>

namespace gridloom::base {

/// Writes to an open file descriptor, which the caller owns. After a failure, the rest is counted
/// and not written, so that the total size is known.
class FdStreamBuffer : public std::streambuf {
 public:
  explicit FdStreamBuffer(int fd);

  /// Writes the rest of the buffer. Returns the `errno` of the first failure, 0 without one.
  int finish();
  /// total, failed writes included; valid after `finish`
  std::int64_t bytes() const { return m_bytes; }

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  void flushBuffer();

  int m_fd;
  int m_error = 0;
  std::int64_t m_bytes = 0;
  std::array<char, 1 << 16> m_buffer;
};

}  // namespace gridloom::base
