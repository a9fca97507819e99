// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/nothing_fits.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/rejection_model.h"

namespace gridloom::widgets {

namespace {

/// Why most mappings do not fit, and by how much the nearest one.
QString reasonText(const search::SpaceCount& space) {
  const auto most = std::ranges::max_element(space.rejected, {}, &search::Rejection::count);
  if (most == space.rejected.end()) return {};
  const QString nearest = nearestMissText(*most);
  QString words = QStringLiteral("%1 of %2 mappings: %3")
                      .arg(countText(static_cast<double>(most->count)),
                           countText(static_cast<double>(space.size)),
                           rejectionTitle(text(most->reason)).toLower());
  return nearest.isEmpty() ? words : words + QStringLiteral("; the nearest ") + nearest;
}

/// What stands in the way beside that, and how the kernel runs all the same: a line each.
QString moreText(const service::Exploration& found) {
  QStringList lines;
  for (const std::string& reason : found.whyNone.reasons) lines << text(reason);
  if (found.apart) lines << apartText(*found.apart) + QLatin1Char('.');
  return lines.join(QLatin1Char('\n'));
}

/// "N = 8,192 and M = 64".
QString sizesText(const service::NoMapping& why) {
  QStringList sizes;
  for (const auto& [name, value] : why.sizes)
    sizes << QStringLiteral("%1 = %2").arg(text(name), countText(static_cast<double>(value)));
  const QString last = sizes.isEmpty() ? QString() : sizes.takeLast();
  return sizes.isEmpty() ? last : sizes.join(QStringLiteral(", ")) + QStringLiteral(" and ") + last;
}

QLabel* centred(const QString& words) {
  auto* label = new QLabel(words);
  label->setAlignment(Qt::AlignCenter);
  label->setWordWrap(true);
  return label;
}

}  // namespace

QString apartText(const service::Apart& apart) {
  return QStringLiteral("Apart, as %1 kernels one after the other: %2 %3 cycles")
      .arg(apart.parts.size())
      .arg(countText(apart.cycles),
           apart.simulated ? QStringLiteral("simulated") : QStringLiteral("predicted"));
}

bool nothingFits(const service::ExplorationRef& found) {
  return found && !found->interrupted && found->space.stopped == search::Stop::None &&
         found->listed() == 0;
}

NothingFits::NothingFits(Session* session, QWidget* view)
    : m_session(session),
      m_view(view),
      m_reason(centred({})),
      m_more(centred({})),
      m_set(new QPushButton) {
  m_more->setTextFormat(Qt::PlainText);
  m_set->setProperty("role", QStringLiteral("primary"));
  m_set->setObjectName(QStringLiteral("fittingSizes"));
  m_set->setToolTip(QStringLiteral("A short search finds mappings at these sizes; Ctrl+Z goes "
                                   "back"));
  connect(m_set, &QPushButton::clicked, this, &NothingFits::setSizes);
  auto* why = new QPushButton(QStringLiteral("Show why"));
  why->setObjectName(QStringLiteral("allReasons"));
  connect(why, &QPushButton::clicked, this, &NothingFits::reasonsWanted);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(12, 8, 12, 8);
  column->addStretch();
  column->addWidget(centred(QStringLiteral("<b>No mapping fits</b>")));
  column->addWidget(m_reason);
  column->addWidget(m_more);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch();
  for (QPushButton* each : {m_set, why}) buttons->addWidget(each);
  buttons->addStretch();
  column->addLayout(buttons);
  column->addStretch();
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  connect(session, &Session::explorationChanged, this, &NothingFits::reload);
  connect(session, &Session::staleChanged, this, &NothingFits::reload);
  reload();
}

void NothingFits::reload() {
  const bool nothing = nothingFits(m_session->exploration());
  if (nothing) {
    const service::Exploration& found = *m_session->exploration();
    m_reason->setText(reasonText(found.space));
    m_more->setText(moreText(found));
    m_more->setVisible(!m_more->text().isEmpty());
    m_set->setText(QStringLiteral("Set ") + sizesText(found.whyNone));
    m_set->setVisible(!found.whyNone.sizes.empty());
    m_set->setEnabled(!m_session->stale());
  }
  m_view->setVisible(!nothing);
  setVisible(nothing);
}

/// All of them as one step of the history.
void NothingFits::setSizes() {
  if (!nothingFits(m_session->exploration()) || m_session->stale()) return;
  const service::NoMapping& why = m_session->exploration()->whyNone;
  Project project = m_session->project();
  for (const auto& [name, value] : why.sizes) project.parameters[text(name)] = value;
  m_session->openProblem(std::move(project), sizesText(why));
}

}  // namespace gridloom::widgets
