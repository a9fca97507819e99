// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "syntax/schedule_reader.h"

namespace gridloom::syntax {

inline constexpr std::int64_t kMaxCoordinate = 1 << 24;
inline constexpr const char* kBuffer = "buffer A: input A per k, 2 slots of 16384 B";
inline constexpr const char* kChannel = "channel c: multicast to A along y, depth 2";

/// The parts of a segment beside its herds (resources/docs/schedule.md). The keyword `first` is
/// taken already; the result has the whole part as its span. False after a report.
bool parseBuffer(ScheduleReader& at, const Token& first, ScheduleText::Buffer& buffer);
bool parseChannel(ScheduleReader& at, const Token& first, ScheduleText::Channel& channel);
bool parseToken(ScheduleReader& at, const Token& first, ScheduleText::Token& token);
/// `dmaConstraint.kind` is set.
bool parseDmaConstraint(ScheduleReader& at, const Token& first,
                        ScheduleText::DmaConstraint& dmaConstraint);

}  // namespace gridloom::syntax
