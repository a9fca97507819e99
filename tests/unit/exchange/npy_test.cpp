// SPDX-License-Identifier: Apache-2.0
#include "exchange/npy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gridloom::exchange {
namespace {

using kernel::DType;
using kernel::TensorValue;

using namespace std::string_literals;

/// A file of format 1.0 with this dictionary and these bytes of values.
std::string fileOf(const std::string& dictionary, const std::string& values) {
  return "\x93NUMPY\x01\x00"s + static_cast<char>(dictionary.size() + 1) + "\x00"s + dictionary +
         "\n" + values;
}

std::string header(const std::string& type, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
}

std::string errorOf(const std::string& bytes, const std::vector<std::int64_t>& shape) {
  const auto value = readNpy(bytes, shape, "a.npy");
  return value ? "" : base::render(value.diagnostics());
}

TEST(Npy, WhatIsWrittenIsReadBack) {
  const TensorValue value{{2, 3}, {0, -1.5, 3, 1e-3, 100, 7}};
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16}) {
    const auto back = readNpy(npyOf(value, dtype), value.shape, "a");
    ASSERT_TRUE(back) << base::render(back.diagnostics());
    EXPECT_EQ(back->shape, value.shape);
    for (std::size_t e = 0; e < value.data.size(); ++e) {
      const double want = dtype == DType::F64 ? value.data[e] : static_cast<float>(value.data[e]);
      EXPECT_EQ(back->data[e], want);
    }
  }
}

TEST(Npy, IntegersAreRoundedAndSaturated) {
  const TensorValue value{{5}, {1.5, -300, 300, 2.4, std::nan("")}};
  EXPECT_EQ(readNpy(npyOf(value, DType::I8), value.shape, "a")->data,
            (std::vector<double>{2, -128, 127, 2, 0}));
  EXPECT_EQ(readNpy(npyOf(value, DType::I16), value.shape, "a")->data,
            (std::vector<double>{2, -300, 300, 2, 0}));
}

// The layout that numpy.save writes: values begin at a multiple of 64 bytes.
TEST(Npy, TheHeaderIsThatOfNumPy) {
  const std::string bytes = npyOf({{2}, {1, 2}}, DType::F32);
  ASSERT_EQ(bytes.size(), 128U + 8U);
  EXPECT_EQ(bytes.substr(0, 10), "\x93NUMPY\x01\x00\x76\x00"s);
  EXPECT_EQ(bytes.substr(10, 59), "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }  ");
  EXPECT_EQ(bytes[127], '\n');
}

TEST(Npy, ElementTypesOfNumPy) {
  const auto first = [](const std::string& type, const std::string& values) {
    const auto value =
        readNpy(fileOf(header(type, "(1,)"), values), std::vector<std::int64_t>{1}, "a");
    EXPECT_TRUE(value) << base::render(value.diagnostics());
    return value ? value->data[0] : 0;
  };
  EXPECT_EQ(first("<f2", "\x00\x3e"s), 1.5);
  EXPECT_EQ(first("<f2", "\x01\x80"s), -std::ldexp(1, -24));
  EXPECT_EQ(first("<f2", "\x00\xfc"s), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(first("<i4", "\xfe\xff\xff\xff"s), -2);
  EXPECT_EQ(first("<u2", "\xfe\xff"s), 65534);
  EXPECT_EQ(first("|b1", "\x01"s), 1);
  EXPECT_EQ(first("<i8", "\x07\x00\x00\x00\x00\x00\x00\x00"s), 7);
}

TEST(Npy, RefusesWithTheByteAndAFix) {
  const auto refused = [](const std::string& dictionary, const std::string& part) {
    const std::string error = errorOf(fileOf(dictionary, std::string(4, '\0')), {1});
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  refused("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}",
          "a.npy: byte 25: elements of type `>f4` are not read");
  refused("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}",
          "its elements are records");
  refused("{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}", "numpy.ascontiguousarray(a)");
  refused("{'descr': '<f4', 'descr': '<f4', 'shape': (1,)}", "`descr` is unknown, or there twice");
  refused("{'descr': '<f4', 'shape': (1,)}", "lacks");
  refused("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", "something follows");
  refused("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "expected a size");
  refused(header("<f4", "(2,)"), "its shape is [2], the tensor's is [1]");
  refused(header("<f8", "(1,)"), "4 bytes of values follow");
  refused(header("<f2", "(1,)"), "4 bytes of values follow");
  EXPECT_NE(errorOf("PK\x03\x04", {1}).find("this is not a NumPy file"), std::string::npos);
  EXPECT_NE(errorOf("\x93NUMPY\x01\x00\xff\xff{"s, {1}).find("ends in its header"),
            std::string::npos);
  EXPECT_NE(errorOf("\x93NUMPY\x09\x00\x01\x00    "s, {1}).find("version"), std::string::npos);
}

// No text makes the reader fail in another way than by an error.
TEST(Npy, EveryCutAndEveryChangedByteGivesAValueOrAnError) {
  const std::string whole = npyOf({{2, 2}, {1, 2, 3, 4}}, DType::F32);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    EXPECT_NE(errorOf(whole.substr(0, at), {2, 2}), "");
    for (const char c : {'\0', '9', '(', '\xff'}) {
      std::string changed = whole;
      changed[at] = c;
      (void)readNpy(changed, std::vector<std::int64_t>{2, 2}, "a");
    }
  }
}

TEST(Npy, AHugeShapeIsRefusedBeforeAnythingIsAllocated) {
  const std::vector<std::int64_t> shape{1LL << 40, 1LL << 40};
  EXPECT_NE(errorOf(fileOf(header("<f4", "(1099511627776, 1099511627776)"), "abcd"), shape)
                .find("4 bytes of values follow"),
            std::string::npos);
}

}  // namespace
}  // namespace gridloom::exchange
