// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/project_history.h"

#include <utility>

#include "models/text_change.h"

namespace gridloom::widgets {

namespace {

constexpr std::size_t kMostStates = 2000;
constexpr qsizetype kMostLetters = 32 << 20;  // in the edited texts of all states

const QString& textOf(const Project& project, ProjectHistory::Part part) {
  switch (part) {
  case ProjectHistory::Part::HardwareText:
    return project.hardwareText;
  case ProjectHistory::Part::KernelText:
    return project.kernelText;
  case ProjectHistory::Part::Directives:
  case ProjectHistory::Part::Other:
    break;
  }
  return project.directives;
}

}  // namespace

void ProjectHistory::start(Project project) {
  m_states.clear();
  m_states.push_back({std::move(project), Part::Other, {}, -1, false});
  m_at = 0;
}

bool ProjectHistory::record(Project project, Part part, const QString& title) {
  if (m_states.empty()) start({});
  m_states.resize(m_at + 1);
  State next{std::move(project), part, title, -1, false};
  if (part != Part::Other) {
    const TextChange change =
        changeBetween(textOf(m_states[m_at].project, part), textOf(next.project, part));
    if (change.removed + change.inserted == 1) {
      next.typed = change.inserted == 1;
      next.end = change.begin + change.inserted;
    }
  }
  if (continues(next)) {
    m_states[m_at] = std::move(next);
    return true;
  }
  m_states.push_back(std::move(next));
  ++m_at;
  forgetOldest();
  return false;
}

/// What is typed there is a new step.
const Project& ProjectHistory::go(std::size_t to) {
  m_at = to;
  m_states[m_at].end = -1;
  return m_states[m_at].project;
}

/// A letter continues the step of the previous letter up to the end of the word and its trailing
/// spaces; a deletion continues an adjacent deletion.
bool ProjectHistory::continues(const State& next) const {
  const State& last = m_states[m_at];
  if (m_at == 0 || next.end < 0 || last.end < 0) return false;
  if (last.part != next.part || last.typed != next.typed) return false;
  if (!next.typed) return next.end == last.end || next.end + 1 == last.end;
  if (next.end != last.end + 1) return false;
  const QString& text = textOf(next.project, next.part);
  return text[next.end - 1].isSpace() || !text[last.end - 1].isSpace();
}

void ProjectHistory::forgetOldest() {
  qsizetype letters = 0;
  for (const State& state : m_states) letters += textOf(state.project, state.part).size();
  while (m_at > 1 && (m_states.size() > kMostStates || letters > kMostLetters)) {
    letters -= textOf(m_states.front().project, m_states.front().part).size();
    m_states.pop_front();
    --m_at;
  }
}

}  // namespace gridloom::widgets
