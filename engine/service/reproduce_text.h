// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/reproduction.h"
#include "service/reproduce_gemm.h"

namespace gridloom::service {

/// A number of TL's text by its name in bench/reference/tl_claims.
base::Result<double> tlFigure(const std::string& id);

report::ReproducedFigure figure(std::string subject, std::string quantity,
                                std::optional<double> published, const Pair& ours);

/// "1.20, 1.30 predicted; 1.10, 1.25 simulated".
std::string pairsText(const std::vector<Pair>& pairs);
/// "1.20 predicted, 1.10 simulated".
std::string pairText(const Pair& pair);

}  // namespace gridloom::service
