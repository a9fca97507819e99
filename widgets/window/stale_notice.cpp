// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/stale_notice.h"

#include "bridge/session.h"

namespace gridloom::widgets {

StaleNotice::StaleNotice(const Session* session, QWidget* parent) : LineLabel(parent) {
  setObjectName(QStringLiteral("staleNotice"));
  setProperty("role", QStringLiteral("warning"));
  setContentsMargins(10, 6, 10, 6);
  hide();
  const auto refresh = [this, session] {
    const QString reason = session->exploration() ? session->staleReason() : QString();
    setLine(QStringLiteral("Of earlier inputs: %1").arg(reason));
    setVisible(!reason.isEmpty());
  };
  connect(session, &Session::staleReasonChanged, this, refresh);
  connect(session, &Session::explorationChanged, this, refresh);
}

}  // namespace gridloom::widgets
