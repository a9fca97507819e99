// SPDX-License-Identifier: Apache-2.0
#include "exchange/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace gridloom::exchange {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kLongestHeader = 1 << 16;

template <class T> T valueAt(std::string_view bytes, std::size_t at) {
  std::array<char, sizeof(T)> raw{};
  bytes.copy(raw.data(), sizeof(T), at);
  return std::bit_cast<T>(raw);
}

double halfAt(std::string_view bytes, std::size_t at) {
  const auto bits = valueAt<std::uint16_t>(bytes, at);
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  return exponent == 0 ? sign * std::ldexp(fraction, -24)
                       : sign * std::ldexp(1024 + fraction, exponent - 25);
}

template <class T> double numberAt(std::string_view bytes, std::size_t at) {
  return static_cast<double>(valueAt<T>(bytes, at));
}

struct ElementType {
  std::string_view name;
  std::size_t bytes;
  double (*read)(std::string_view bytes, std::size_t at);
};
constexpr std::array kTypes = {ElementType{"f8", 8, numberAt<double>},
                               ElementType{"f4", 4, numberAt<float>},
                               ElementType{"f2", 2, halfAt},
                               ElementType{"i8", 8, numberAt<std::int64_t>},
                               ElementType{"i4", 4, numberAt<std::int32_t>},
                               ElementType{"i2", 2, numberAt<std::int16_t>},
                               ElementType{"i1", 1, numberAt<std::int8_t>},
                               ElementType{"u8", 8, numberAt<std::uint64_t>},
                               ElementType{"u4", 4, numberAt<std::uint32_t>},
                               ElementType{"u2", 2, numberAt<std::uint16_t>},
                               ElementType{"u1", 1, numberAt<std::uint8_t>},
                               ElementType{"b1", 1, numberAt<std::uint8_t>}};

struct Header {
  const ElementType* type = nullptr;
  bool fortran = false;
  std::vector<std::int64_t> shape;
  bool hasType = false, hasOrder = false, hasShape = false;
  std::size_t end = 0;  ///< where the values begin
};

// The header is a Python dictionary with three keys; nothing else is accepted.
class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& name) : m_bytes(bytes), m_name(name) {}

  base::Result<Header> run() {
    if (readFrame() && readDictionary() && !m_error) return m_header;
    if (!m_error) fail("the header is not complete");
    return *m_error;
  }

 private:
  bool fail(const std::string& what, std::string hint = "write the file with `numpy.save`") {
    if (!m_error) {
      m_error =
          base::plainError(fmt::format("{}: byte {}: {}", m_name, m_at, what), std::move(hint));
    }
    return false;
  }

  bool readFrame() {
    if (!m_bytes.starts_with(kNpyMagic)) return fail("this is not a NumPy file");
    m_at = kNpyMagic.size();
    if (m_bytes.size() < m_at + 6) return fail("the file ends in its header");
    const int version = static_cast<unsigned char>(m_bytes[m_at]);
    if (version < 1 || version > 3 || m_bytes[m_at + 1] != 0) {
      return fail("the version of the format is unknown");
    }
    m_at += 2;
    const std::size_t length = version == 1 ? valueAt<std::uint16_t>(m_bytes, m_at)
                                            : valueAt<std::uint32_t>(m_bytes, m_at);
    m_at += version == 1 ? 2 : 4;
    if (length > kLongestHeader) return fail("the header is longer than 64 KiB");
    m_header.end = m_at + length;
    return m_header.end <= m_bytes.size() || fail("the file ends in its header");
  }

  char look() const { return m_at < m_header.end ? m_bytes[m_at] : '\0'; }
  void skipBlanks() {
    while (look() == ' ' || look() == '\n') ++m_at;
  }
  bool accept(char c) {
    skipBlanks();
    if (look() != c) return false;
    ++m_at;
    return true;
  }
  bool expect(char c) { return accept(c) || fail(fmt::format("expected `{}`", c)); }

  bool readDictionary() {
    if (!expect('{')) return false;
    while (!accept('}')) {
      std::string_view key;
      if (!readString(key) || !expect(':') || !readEntry(key)) return false;
      if (!accept(',')) {
        if (!expect('}')) return false;
        break;
      }
    }
    skipBlanks();
    if (m_at != m_header.end) return fail("something follows the header's dictionary");
    const bool whole = m_header.hasType && m_header.hasOrder && m_header.hasShape;
    return whole || fail("the header lacks `descr`, `fortran_order` or `shape`");
  }

  bool readString(std::string_view& text) {
    skipBlanks();
    const char quote = look();
    if (quote != '\'' && quote != '"') return fail("expected a quoted name");
    const std::size_t begin = ++m_at;
    while (m_at < m_header.end && m_bytes[m_at] != quote) ++m_at;
    if (m_at == m_header.end) return fail("the name is not closed");
    text = m_bytes.substr(begin, m_at++ - begin);
    return true;
  }

  bool readEntry(std::string_view key) {
    if (key == "descr" && !std::exchange(m_header.hasType, true)) return readType();
    if (key == "fortran_order" && !std::exchange(m_header.hasOrder, true)) return readOrder();
    if (key == "shape" && !std::exchange(m_header.hasShape, true)) return readShape();
    return fail(fmt::format("the header's key `{}` is unknown, or there twice", key));
  }

  bool readType() {
    skipBlanks();
    if (look() == '[') return fail("its elements are records", "save one field of it");
    std::string_view text;
    if (!readString(text)) return false;
    for (const ElementType& type : kTypes) {
      const bool order =
          text.size() == 3 && (text[0] == '<' || (text[0] == '|' && type.bytes == 1));
      if (order && text.substr(1) == type.name) m_header.type = &type;
    }
    return m_header.type != nullptr || fail(fmt::format("elements of type `{}` are not read", text),
                                            "convert it first: `a.astype('<f4')`");
  }

  bool readOrder() {
    skipBlanks();
    for (const std::string_view word : {"True", "False"}) {
      if (m_bytes.substr(m_at, word.size()) != word) continue;
      m_at += word.size();
      return word == "False" ||
             fail("it is in Fortran order", "convert it first: `numpy.ascontiguousarray(a)`");
    }
    return fail("expected True or False");
  }

  bool readShape() {
    if (!expect('(')) return false;
    while (!accept(')')) {
      skipBlanks();
      std::int64_t size = 0;
      const char* first = m_bytes.data() + m_at;
      const auto [end, error] = std::from_chars(first, m_bytes.data() + m_header.end, size);
      if (error != std::errc() || size < 0) return fail("expected a size");
      m_at += static_cast<std::size_t>(end - first);
      m_header.shape.push_back(size);
      if (!accept(',')) return expect(')');
    }
    return true;
  }

  std::string_view m_bytes;
  const std::string& m_name;
  std::size_t m_at = 0;
  Header m_header;
  std::optional<base::Diagnostic> m_error;
};

std::string shapeText(std::span<const std::int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace

base::Result<kernel::TensorValue>
readNpy(std::string_view bytes, std::span<const std::int64_t> shape, const std::string& name) {
  const auto header = HeaderReader(bytes, name).run();
  if (!header) return header.diagnostics();
  if (!std::ranges::equal(header->shape, shape)) {
    return base::plainError(fmt::format("{}: its shape is {}, the tensor's is {}", name,
                                        shapeText(header->shape), shapeText(shape)),
                            "reshape the array, or --set the sizes of the kernel");
  }
  std::size_t count = 1;
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(count, static_cast<std::size_t>(size), &count) ||
        count > bytes.size()) {
      count = bytes.size() + 1;
      break;
    }
  }
  const std::size_t held = bytes.size() - header->end;
  if (count > held || count * header->type->bytes != held) {
    return base::plainError(
        fmt::format("{}: byte {}: {} bytes of values follow, but the shape {} of {} has another "
                    "number of them",
                    name, header->end, held, shapeText(shape), header->type->name),
        "the file is cut off, or has been changed");
  }
  kernel::TensorValue value{{shape.begin(), shape.end()}, {}};
  value.data.reserve(count);
  for (std::size_t e = 0; e < count; ++e) {
    value.data.push_back(header->type->read(bytes, header->end + e * header->type->bytes));
  }
  return value;
}

}  // namespace gridloom::exchange
