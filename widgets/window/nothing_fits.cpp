// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/nothing_fits.h"

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

}  // namespace

bool nothingFits(const service::ExplorationRef& found) {
  return found && !found->interrupted && found->space.stopped == search::Stop::None &&
         found->listed() == 0;
}

NothingFits::NothingFits(const Session* session, QWidget* view)
    : m_session(session), m_view(view), m_reason(new QLabel) {
  auto* title = new QLabel(QStringLiteral("<b>No mapping fits</b>"));
  title->setAlignment(Qt::AlignCenter);
  m_reason->setAlignment(Qt::AlignCenter);
  m_reason->setWordWrap(true);
  auto* why = new QPushButton(QStringLiteral("Show why"));
  connect(why, &QPushButton::clicked, this, &NothingFits::reasonsWanted);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->addStretch();
  column->addWidget(title);
  column->addWidget(m_reason);
  column->addWidget(why, 0, Qt::AlignCenter);
  column->addStretch();
  connect(session, &Session::explorationChanged, this, &NothingFits::reload);
  reload();
}

void NothingFits::reload() {
  const bool nothing = nothingFits(m_session->exploration());
  if (nothing) m_reason->setText(reasonText(m_session->exploration()->space));
  m_view->setVisible(!nothing);
  setVisible(nothing);
}

}  // namespace gridloom::widgets
