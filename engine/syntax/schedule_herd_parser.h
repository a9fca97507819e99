// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "syntax/schedule_reader.h"

namespace gridloom::syntax {

inline constexpr const char* kHerd = "herd corner at (0, 0), (1 to 7, 0) { ... }";

/// Parses the herds of a schedule: the cores they are on, their processes and statements
/// (resources/docs/schedule.md). Regions and statements count over all herds against the limits.
class HerdParser {
 public:
  HerdParser(ScheduleReader& at, std::vector<ScheduleText::Herd>& herds)
      : m_at(at), m_herds(herds) {}

  /// The keyword `first` is taken already. Adds the herd also when its head has an error, for the
  /// errors of its body. False after a report.
  bool parse(const Token& first);

 private:
  using Part = ScheduleText;

  bool parseHerdHead(Part::Herd& herd);
  bool parseRegion(Part::Region& out);
  bool parseProcess();
  bool parseStatement(std::size_t depth);
  bool parseFor(const Token& first, std::size_t depth);
  /// A name of a statement must be on its line. Where a line is cut off, the next one parses as
  /// usual.
  bool operand(std::string_view what, Part::Name& out);
  bool parseOperands(Part::Instruction& out);

  ScheduleReader& m_at;
  std::vector<ScheduleText::Herd>& m_herds;
  std::vector<ScheduleText::Instruction>* m_code = nullptr;  ///< of the process being read
  std::size_t m_instructions = 0, m_regions = 0;
};

}  // namespace gridloom::syntax
