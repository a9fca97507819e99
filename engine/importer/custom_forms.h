// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gridloom::importer {

/// Operations of other dialects and releases whose own spelling MLIR 19 does not parse, in a form
/// that it does: `tm_tensor.scan` (torch-mlir) and `ttx.cumsum` (triton-shared) in the generic
/// form, `linalg.init_tensor` as `tensor.empty`. Lines stay where they are, and operations begin
/// where they began.
std::string withParsedForms(std::string text);

}  // namespace gridloom::importer
