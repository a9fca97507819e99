// SPDX-License-Identifier: Apache-2.0
#include "base/fd_stream.h"

#include <unistd.h>

#include <cerrno>

namespace gridloom::base {

FdStreamBuffer::FdStreamBuffer(int fd) : m_fd(fd) {
  setp(m_buffer.data(), m_buffer.data() + m_buffer.size());
}

int FdStreamBuffer::finish() {
  flushBuffer();
  return m_error;
}

FdStreamBuffer::int_type FdStreamBuffer::overflow(int_type c) {
  flushBuffer();
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  return sputc(traits_type::to_char_type(c));
}

int FdStreamBuffer::sync() {
  flushBuffer();
  return 0;
}

void FdStreamBuffer::flushBuffer() {
  const char* at = pbase();
  m_bytes += pptr() - pbase();
  while (m_error == 0 && at < pptr()) {
    const ssize_t written = ::write(m_fd, at, static_cast<std::size_t>(pptr() - at));
    if (written > 0) {
      at += written;
    } else if (written == 0 || errno != EINTR) {
      m_error = written == 0 ? EIO : errno;
    }
  }
  setp(m_buffer.data(), m_buffer.data() + m_buffer.size());
}

}  // namespace gridloom::base
