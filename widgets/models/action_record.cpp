// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/action_record.h"

#include <algorithm>
#include <utility>

namespace gridloom::widgets {

namespace {

constexpr std::size_t kMostActions = 2000;
constexpr qsizetype kMostRecorded = 32 << 20;  // in the texts of all actions

/// Letters that an action holds for itself, beside one next to it: texts that did not change are
/// shared.
qsizetype lettersOf(const Action& action, const Action* other) {
  const Project& now = action.inputs.project;
  qsizetype letters = action.inputs.mapping.size();
  for (const auto text : {&Project::hardwareText, &Project::kernelText, &Project::directives}) {
    if (!other || (other->inputs.project.*text).constData() != (now.*text).constData())
      letters += (now.*text).size();
  }
  return letters;
}

}  // namespace

void ActionRecord::start(const Project& project) {
  ++m_number;
  m_actions.clear();
  m_forgotten = 0;
  add({Action::Kind::Edit, QStringLiteral("open"), {project, {}, 0, {}}, {}, {}});
}

void ActionRecord::edit(const Project& project, const QString& title, bool continues) {
  const auto isEdit = [](const Action& each) { return each.kind == Action::Kind::Edit; };
  const auto isShown = [](const Action& each) { return each.kind == Action::Kind::Explore; };
  if (continues) {
    const auto last = std::find_if_not(m_actions.rbegin(), m_actions.rend(), isShown);
    if (last != m_actions.rend() && isEdit(*last))
      m_actions.erase(last.base() - 1, m_actions.end());
  }
  add({Action::Kind::Edit, title, {project, {}, 0, {}}, {}, {}});
}

void ActionRecord::add(Action action) {
  const auto isSelect = [](const Action& each) { return each.kind == Action::Kind::Select; };
  if (!m_actions.empty() && isSelect(action) && isSelect(m_actions.back())) m_actions.pop_back();
  m_actions.push_back(std::move(action));
  forgetOldest();
}

void ActionRecord::forgetOldest() {
  qsizetype letters = 0;
  const Action* before = nullptr;
  for (const Action& each : m_actions) letters += lettersOf(each, std::exchange(before, &each));
  while (m_actions.size() > 1 && (m_actions.size() > kMostActions || letters > kMostRecorded)) {
    // The next one keeps what it shares with it.
    letters -= lettersOf(m_actions[0], &m_actions[1]);
    m_actions.pop_front();
    ++m_forgotten;
  }
}

}  // namespace gridloom::widgets
