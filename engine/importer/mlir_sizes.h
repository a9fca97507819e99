// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

/// Sizes of arguments that operations of the file hold equal, as the dimension that a product sums
/// over is one of both operands. Each is named as settings are: `x_0` is dimension 0 of `x`.
class TiedSizes {
 public:
  TiedSizes(const std::vector<mlir::func::FuncOp>& functions, const ArgumentNames& names);

  /// Of each tied size the first one alone, in the order of the arguments. Throws Refusal where
  /// values differ from one another, or from a size that the file gives.
  Settings firstOnes(const Settings& given) const;
  /// With the values of all sizes that those of `values` tell.
  Settings all(const Settings& values) const;
  /// Names of other sizes that are equal to this one.
  std::vector<std::string> others(const std::string& name) const;

 private:
  struct Class {
    std::vector<std::string> names;  ///< in the order of the arguments
    std::optional<std::int64_t> size;
    mlir::Operation* by = nullptr;  ///< one that ties them, for messages
  };
  const Class* classOf(const std::string& name) const;
  [[noreturn]] static void refuse(const Class& of, const std::string& message);

  std::vector<Class> m_classes;
  std::map<std::string, std::size_t> m_classOf;
};

}  // namespace gridloom::importer
