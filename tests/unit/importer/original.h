// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace gridloom::test {

/// An argument of an imported function, as the program that calls it passes it.
struct Argument {
  std::string name;
  std::string type;                 ///< "tensor", "memref", "unranked", or the type of a number
  std::vector<std::int64_t> shape;  ///< of memory and tensors
  double value = 0;                 ///< of a number
  std::string element = "f32";      ///< of memory and tensors
  std::int64_t below = 0;           ///< of indices: they are less
};

/// How to call a function of a file.
struct Call {
  std::string file;  ///< in tests/unit/importer/cases
  std::string function;
  std::vector<Argument> arguments;
  std::vector<std::int64_t> grid;  ///< programs of a launch grid; empty: none
  std::string result;              ///< which argument holds the result; "": it is returned
  std::vector<std::int64_t> resultShape;
  bool runs = true;  ///< whether MLIR's tools lower it
  std::string resultElement = "f32";
  std::map<std::string, std::int64_t> settings = {};  ///< beside those of arguments
  std::string text = {};  ///< the function alone; empty: the file's text
};

/// For the names of tests.
inline void PrintTo(const Call& call, std::ostream* out) { *out << call.file; }

/// Element `linear` of the sample values of argument `number`: multiples of 1/4 between -1.5 and
/// 1.5, so that small sums are exact.
double sampleValue(std::int64_t linear, std::size_t number);

/// The same of an argument that holds indices.
inline std::int64_t sampleIndex(std::int64_t linear, std::size_t number, std::int64_t below) {
  return (linear * 7 + static_cast<std::int64_t>(number) * 5) % below;
}

/// The text of a case.
std::string caseText(const std::string& file);

/// Elements of the result when MLIR's own tools lower the case and run it on the sample values;
/// nothing where they are not installed.
std::optional<std::vector<double>> runOriginal(const Call& call);

}  // namespace gridloom::test
