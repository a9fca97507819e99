// SPDX-License-Identifier: GPL-3.0-or-later

// What a script that repeats the work needs of it.

#include "bridge/session.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

ScriptInputs Session::scriptInputs(int candidate) const {
  ScriptInputs inputs{m_project, {}, candidate + 1, {}};
  for (const auto& [name, value] : m_kernelValues) {
    if (m_project.parameters.contains(QString::fromStdString(name)))
      inputs.settings.emplace_back(name, value);
  }
  inputs.areWrong = m_stale && m_meaning.empty() && !m_problems.empty();
  if (!m_exploration || m_stale) return inputs;
  inputs.arePartial = m_exploration->interrupted;
  // The switch may have been moved since.
  inputs.project.simulate = m_exploration->reranked.tried > 0;
  if (candidate >= 0 && candidate < static_cast<int>(m_exploration->listed())) {
    inputs.mapping = text(service::directivesOf(
        *m_exploration->hardware, *m_exploration->kernel,
        service::mappingAt(*m_exploration, static_cast<std::size_t>(candidate))));
  }
  return inputs;
}

Action Session::actionNow(Action::Kind kind, const QString& title, int candidate,
                          const QString& file) const {
  return {kind, title, scriptInputs(candidate), file, {}};
}

/// Rankings that a command repeats: whole, and of the present inputs.
void Session::recordShown() {
  if (m_stale || m_shownMeaning.empty()) return;
  const auto count = static_cast<double>(m_exploration->listed());
  recordAction(actionNow(Action::Kind::Explore,
                         QStringLiteral("the ranking: %1 mappings").arg(countText(count)), -1));
}

}  // namespace gridloom::widgets
