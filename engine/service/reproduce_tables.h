// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/reproduce_case.h"

namespace gridloom::service {

/// One function per published table. All read their figures and sizes from bench/reference, and their
/// baselines from bench/cases.
using ReproducedTable = base::Result<report::Reproduction>;

ReproducedTable tlSpatialReuse(CaseRunner& runner);
ReproducedTable tlTemplates(CaseRunner& runner);
ReproducedTable tlPreference(CaseRunner& runner);
ReproducedTable tlIrregularShapes(CaseRunner& runner);
ReproducedTable tlTemporalReuse(CaseRunner& runner);
ReproducedTable tlAttention(CaseRunner& runner);

ReproducedTable wormholeGemm(CaseRunner& runner);
ReproducedTable wormholeAttention(CaseRunner& runner);

ReproducedTable timeloopCounts(CaseRunner& runner);

ReproducedTable systolicCycles(CaseRunner& runner);
ReproducedTable systolicWords(CaseRunner& runner);

ReproducedTable nocLatency(CaseRunner& runner);
ReproducedTable nocDramBandwidth(CaseRunner& runner);
ReproducedTable nocLoadLatency(CaseRunner& runner);
ReproducedTable airHerdShapes(CaseRunner& runner);
ReproducedTable airEfficiency(CaseRunner& runner);
ReproducedTable airFusedAttention(CaseRunner& runner);

ReproducedTable npuGemmExternal(CaseRunner& runner);
ReproducedTable npuGemmFused(CaseRunner& runner);
ReproducedTable npuGemmDrain(CaseRunner& runner);
ReproducedTable npuGemmDirectF32(CaseRunner& runner);
ReproducedTable npuGemmDirectBf16(CaseRunner& runner);

ReproducedTable cyclotronDataflows(CaseRunner& runner);
ReproducedTable cyclotronAttention(CaseRunner& runner);
ReproducedTable cyclotronUtilization(CaseRunner& runner);
ReproducedTable cyclotronSolverKnobs(CaseRunner& runner);

ReproducedTable modelAgreement(CaseRunner& runner);
ReproducedTable rankingRegret(CaseRunner& runner);

}  // namespace gridloom::service
