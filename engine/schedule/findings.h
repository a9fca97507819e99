// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "base/diagnostic.h"
#include "schedule/schedule.h"
#include "schedule/source_map.h"

namespace gridloom::schedule {

/// Collects the errors of a schedule, located in its text when it came from one.
class Findings {
 public:
  Findings(const Schedule& schedule, const SourceMap* places)
      : m_schedule(schedule), m_places(places) {}

  void whole(std::string what, std::string hint = {});
  void atBuffer(std::size_t buffer, std::string what, std::string hint = {});
  void atChannel(std::size_t channel, std::string what, std::string hint = {});
  void warnAtChannel(std::size_t channel, std::string what, std::string hint = {});
  void atToken(std::size_t token, std::string what, std::string hint = {});
  void atDmaConstraint(std::size_t dmaConstraint, std::string what, std::string hint = {});
  void atProgram(std::size_t program, std::string what, std::string hint = {});
  /// Without a text, the message begins with the location.
  void atInstruction(std::size_t program, std::size_t process, std::size_t instruction,
                     const std::string& what, std::string hint = {});
  /// The same for a message that names the location itself.
  void tellAt(std::size_t program, std::size_t process, std::size_t instruction, std::string what,
              std::string hint = {});
  void note(std::string what, std::string hint = {});
  void noteAtProgram(std::size_t program, std::string what, std::string hint = {});

  bool empty() const { return m_found.empty(); }
  bool hasError() const { return base::hasError(m_found); }
  base::Diagnostics take() { return std::move(m_found); }

 private:
  void add(const base::Span* span, std::string what, std::string hint,
           base::Severity severity = base::Severity::Error);

  const Schedule& m_schedule;
  const SourceMap* m_places;
  base::Diagnostics m_found;
};

}  // namespace gridloom::schedule
