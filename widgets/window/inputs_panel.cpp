// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/inputs_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <limits>

#include "bridge/session.h"
#include "editors/code_editor.h"
#include "editors/language_highlighter.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "window/flow_layout.h"
#include "window/number_box.h"

namespace gridloom::widgets {

namespace {

QStringList namesOf(const std::vector<std::pair<QString, NumberBox*>>& boxes) {
  QStringList names;
  for (const auto& [name, box] : boxes) names << name;
  return names;
}

}  // namespace

KernelPanel::KernelPanel(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_fields(new FlowLayout({10, 6, 4})),
      m_editor(new CodeEditor(Language::Kernel)) {
  m_editor->setAccessibleName(QStringLiteral("Kernel text"));
  m_editor->setObjectName(QStringLiteral("kernelEditor"));
  m_fields->setContentsMargins(10, 8, 10, 8);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(m_fields);
  column->addWidget(m_editor);
  connect(session, &Session::inputsChanged, this, &KernelPanel::showParameters);
}

NumberBox* KernelPanel::parameter(const QString& name) const {
  const auto it = std::find_if(m_boxes.begin(), m_boxes.end(),
                               [&](const auto& box) { return box.first == name; });
  return it == m_boxes.end() ? nullptr : it->second;
}

void KernelPanel::showParameters() {
  if (!m_session->kernel()) return;
  const auto& parameters = m_session->kernel()->kernel.parameters;
  QStringList names;
  for (const auto& parameter : parameters) names << text(parameter.name);
  if (names != namesOf(m_boxes)) makeFields(names);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    NumberBox* box = m_boxes[i].second;
    if (box->hasFocus() && box->isBeingTyped()) continue;
    const QSignalBlocker quiet(box);
    box->setValue(static_cast<int>(
        std::clamp<std::int64_t>(parameters[i].value, 1, std::numeric_limits<int>::max())));
    box->updateGeometry();
  }
}

void KernelPanel::makeFields(const QStringList& names) {
  while (QLayoutItem* item = m_fields->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  m_boxes.clear();
  for (const QString& name : names) {
    auto* box =
        new NumberBox(QStringLiteral("Parameter %1").arg(name), 1, std::numeric_limits<int>::max());
    box->setToolTip(
        QStringLiteral("Parameter %1 of the kernel; arrow keys and the wheel change it").arg(name));
    auto* title = new QLabel(name);
    title->setProperty("role", QStringLiteral("muted"));
    title->setBuddy(box);
    auto* field = new QWidget;
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(title);
    row->addWidget(box);
    m_fields->addWidget(field);
    connect(box, &QSpinBox::valueChanged, this,
            [this, name](int value) { m_session->setParameter(name, value); });
    connect(box, &NumberBox::corrected, this, &KernelPanel::corrected);
    m_boxes.emplace_back(name, box);
  }
}

DirectivesPanel::DirectivesPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_hub(hub),
      m_editor(new CodeEditor(Language::Directives)),
      m_pin(new QPushButton(QStringLiteral("Pin the selected mapping"))) {
  m_editor->setAccessibleName(QStringLiteral("Directives"));
  m_editor->setObjectName(QStringLiteral("directivesEditor"));
  m_editor->setPlaceholderText(
      QStringLiteral("Directives narrow the mapping space, one per line:\n\n"
                     "space(i->x)\ntile(k, 256)\nbroadcast(A, y)\ndouble(B)\norder(j, i, k)\n\n"
                     "Empty leaves everything free."));
  m_pin->setToolTip(QStringLiteral("Write the directives that leave only the selected mapping"));
  auto* clear = new QPushButton(QStringLiteral("Clear"));
  clear->setToolTip(QStringLiteral("Leave everything free again"));
  auto* row = new QHBoxLayout;
  row->setContentsMargins(10, 8, 10, 8);
  row->addWidget(m_pin);
  row->addWidget(clear);
  row->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(m_editor);
  connect(m_pin, &QPushButton::clicked, this, &DirectivesPanel::pinSelected);
  connect(clear, &QPushButton::clicked, this, &DirectivesPanel::clearAll);
}

void DirectivesPanel::pinSelected() {
  const auto& exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!exploration || m_session->stale() || candidate < 0 ||
      candidate >= static_cast<int>(exploration->top.size())) {
    return;
  }
  m_editor->replaceText(text(mapping::printDirectives(
      exploration->kernel->kernel, *exploration->kernel->nest, exploration->hardware->topology,
      exploration->top[static_cast<std::size_t>(candidate)].candidate.mapping)));
}

void DirectivesPanel::clearAll() { m_editor->replaceText({}); }

}  // namespace gridloom::widgets
