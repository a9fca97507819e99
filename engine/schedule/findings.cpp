// SPDX-License-Identifier: Apache-2.0
#include "schedule/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/message_limit.h"

namespace gridloom::schedule {
namespace {

const base::Span* at(const std::vector<base::Span>& spans, std::size_t index) {
  return index < spans.size() ? &spans[index] : nullptr;
}

}  // namespace

void Findings::add(const base::Span* span, std::string what, std::string hint,
                   base::Severity severity) {
  base::Diagnostic found{severity, std::move(what), nullptr, {}, std::move(hint)};
  if (m_places != nullptr && m_places->source) {
    found.source = m_places->source;
    found.span = span != nullptr ? *span : m_places->whole;
  }
  base::report(m_found, std::move(found));
}

void Findings::whole(std::string what, std::string hint) {
  add(nullptr, std::move(what), std::move(hint));
}

void Findings::atBuffer(std::size_t buffer, std::string what, std::string hint) {
  add(m_places ? at(m_places->buffers, buffer) : nullptr, std::move(what), std::move(hint));
}

void Findings::atChannel(std::size_t channel, std::string what, std::string hint) {
  add(m_places ? at(m_places->channels, channel) : nullptr, std::move(what), std::move(hint));
}

void Findings::warnAtChannel(std::size_t channel, std::string what, std::string hint) {
  add(m_places ? at(m_places->channels, channel) : nullptr, std::move(what), std::move(hint),
      base::Severity::Warning);
}

void Findings::atToken(std::size_t token, std::string what, std::string hint) {
  add(m_places ? at(m_places->tokens, token) : nullptr, std::move(what), std::move(hint));
}

void Findings::atDmaConstraint(std::size_t dmaConstraint, std::string what, std::string hint) {
  add(m_places ? at(m_places->dmaConstraints, dmaConstraint) : nullptr, std::move(what),
      std::move(hint));
}

void Findings::atProgram(std::size_t program, std::string what, std::string hint) {
  add(m_places ? at(m_places->programs, program) : nullptr, std::move(what), std::move(hint));
}

void Findings::atInstruction(std::size_t program, std::size_t process, std::size_t instruction,
                             const std::string& what, std::string hint) {
  std::string text = what;
  if (m_places == nullptr) {
    text = fmt::format("program `{}`, process {}, instruction {}: {}",
                       m_schedule.programs[program].name, process, instruction, what);
  }
  tellAt(program, process, instruction, std::move(text), std::move(hint));
}

void Findings::tellAt(std::size_t program, std::size_t process, std::size_t instruction,
                      std::string what, std::string hint) {
  const base::Span* span = nullptr;
  if (m_places != nullptr && program < m_places->instructions.size() &&
      process < m_places->instructions[program].size()) {
    const auto& spans = m_places->instructions[program][process];
    // The span after the last instruction is the end of the process.
    if (!spans.empty()) span = &spans[std::min(instruction, spans.size() - 1)];
  }
  if (span == nullptr && m_places != nullptr) span = at(m_places->programs, program);
  add(span, std::move(what), std::move(hint));
}

void Findings::note(std::string what, std::string hint) {
  add(nullptr, std::move(what), std::move(hint), base::Severity::Note);
}

void Findings::noteAtProgram(std::size_t program, std::string what, std::string hint) {
  add(m_places ? at(m_places->programs, program) : nullptr, std::move(what), std::move(hint),
      base::Severity::Note);
}

}  // namespace gridloom::schedule
