// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "exchange/npy.h"

namespace gridloom::exchange {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kAlignment = 64;

template <class T> void append(std::string& bytes, T value) {
  const auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  bytes.append(raw.data(), raw.size());
}

template <class T> T saturated(double value) {
  if (std::isnan(value)) return 0;
  const double whole = std::nearbyint(value);
  if (whole <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  if (whole >= static_cast<double>(std::numeric_limits<T>::max())) {
    return std::numeric_limits<T>::max();
  }
  return static_cast<T>(whole);
}

std::string_view typeOf(kernel::DType dtype) {
  switch (dtype) {
  case kernel::DType::F64:
    return "<f8";
  case kernel::DType::I64:
    return "<i8";
  case kernel::DType::I32:
    return "<i4";
  case kernel::DType::I16:
    return "<i2";
  case kernel::DType::I8:
  case kernel::DType::I4:
    return "|i1";
  case kernel::DType::F32:
  case kernel::DType::F16:
  case kernel::DType::BF16:
  case kernel::DType::F8E4M3:
  case kernel::DType::F8E5M2:
  case kernel::DType::BFP8:
  case kernel::DType::BFP4:
  case kernel::DType::MXFP8:
  case kernel::DType::MXFP6:
  case kernel::DType::MXFP4:
  case kernel::DType::MXINT8:
    break;
  }
  return "<f4";
}

void appendValue(std::string& bytes, double value, std::string_view type) {
  if (type == "<f8") return append(bytes, value);
  if (type == "<i8") return append(bytes, saturated<std::int64_t>(value));
  if (type == "<i4") return append(bytes, saturated<std::int32_t>(value));
  if (type == "<i2") return append(bytes, saturated<std::int16_t>(value));
  if (type == "|i1") return append(bytes, saturated<std::int8_t>(value));
  append(bytes, static_cast<float>(value));
}

}  // namespace

std::string npyOf(const kernel::TensorValue& value, kernel::DType dtype) {
  const std::string_view type = typeOf(dtype);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                  fmt::join(value.shape, ", "), value.shape.size() == 1 ? "," : "");
  const std::size_t frame = kNpyMagic.size() + 4;
  header.append(kAlignment - 1 - (frame + header.size()) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kNpyMagic);
  bytes.append("\x01\x00", 2);
  append(bytes, static_cast<std::uint16_t>(header.size()));
  bytes += header;
  for (const double element : value.data) appendValue(bytes, element, type);
  return bytes;
}

}  // namespace gridloom::exchange
