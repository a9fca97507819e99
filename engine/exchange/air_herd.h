// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "exchange/air_context.h"
#include "schedule/herd_regions.h"

namespace gridloom::exchange {

/// The body of one herd, or of the code beside it that serves shared buffers: these processes of
/// its program in one loop nest, in the order in which tiles pass between them; "" without any.
/// Every process is a chain of asynchronous tokens. Coordinates inside the box are `%hx` and `%hy`,
/// the tensors `%A` in a herd and `%A_segment` beside it. Lines are indented by `indent`.
/// Errors: processes that are not in step.
base::Result<std::string> herdBody(AirContext& air, schedule::ProgramId program,
                                   const schedule::CoreBox& box, AirPart part, std::size_t indent);

}  // namespace gridloom::exchange
