// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace gridloom::test {

/// An operation of MLIR as mlir-opt prints it in its generic form: names of values as printed.
struct MlirOp {
  std::string name;                  ///< "scf.for"
  std::vector<std::string> results;  ///< "%3"; several as "%3#0", "%3#1"
  std::vector<std::string> operands;
  std::string attributes;          ///< both dictionaries, as text
  std::vector<std::string> types;  ///< of its operands
  std::vector<std::string> results_types;
  struct Region {
    std::vector<std::string> arguments;
    std::vector<std::unique_ptr<MlirOp>> ops;
  };
  std::vector<std::unique_ptr<Region>> regions;
};

/// The only operation of a text; throws std::runtime_error where it has another form.
std::unique_ptr<MlirOp> parseGenericMlir(const std::string& text);

/// The numbers of an attribute such as `size = [4, 1]` or `value = 8 : index`; empty: none.
std::vector<long> numbersOf(const MlirOp& op, const std::string& attribute);
/// The word behind `attribute = `, without `@` and quotes.
std::string wordOf(const MlirOp& op, const std::string& attribute);
/// The shape of `memref<4x8xf16, 2 : i32>`, and the bits of its elements.
std::vector<long> shapeOf(const std::string& type);
long bitsOf(const std::string& type);

}  // namespace gridloom::test
