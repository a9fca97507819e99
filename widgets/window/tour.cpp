// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/tour.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "models/tour_steps.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr int kCardWidth = 340;
constexpr int kBeside = 10;  // pixels between the card and what it explains
constexpr int kTabs = 40;    // above a panel, its tabs stay in sight

/// Two pixels around a panel; the pointer goes through.
class Ring : public QWidget {
 public:
  explicit Ring(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setObjectName(QStringLiteral("tourRing"));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(tokensFor(palette()).accent, 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
  }
};

}  // namespace

Tour::Tour(BringUp bringUp, QWidget* window)
    : QFrame(window), m_bringUp(std::move(bringUp)), m_ring(new Ring(window)) {
  setObjectName(QStringLiteral("tour"));
  setAccessibleName(QStringLiteral("Tour"));
  setProperty("role", QStringLiteral("tour"));
  setAttribute(Qt::WA_DeleteOnClose);
  setFocusPolicy(Qt::StrongFocus);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 12);
  column->setSpacing(6);
  m_title = new QLabel;
  m_title->setProperty("role", QStringLiteral("section"));
  m_text = new QLabel;
  m_text->setWordWrap(true);
  m_count = new QLabel;
  m_count->setProperty("role", QStringLiteral("faint"));
  auto* end = new QPushButton(QStringLiteral("End"));
  m_back = new QPushButton(QStringLiteral("Back"));
  m_next = new QPushButton;
  m_next->setProperty("role", QStringLiteral("primary"));
  m_next->setObjectName(QStringLiteral("tourNext"));
  connect(end, &QPushButton::clicked, this, &QWidget::close);
  connect(m_back, &QPushButton::clicked, this, [this] { showStep(m_step - 1); });
  connect(m_next, &QPushButton::clicked, this, [this] { showStep(m_step + 1); });
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_count);
  buttons->addStretch();
  for (QPushButton* each : {end, m_back, m_next}) buttons->addWidget(each);
  column->addWidget(m_title);
  column->addWidget(m_text);
  column->addSpacing(4);
  column->addLayout(buttons);
  window->installEventFilter(this);
}

Tour::~Tour() { delete m_ring; }

void Tour::showStep(int step) {
  const auto count = static_cast<int>(tourSteps().size());
  if (step >= count) {
    close();
    return;
  }
  m_step = std::max(step, 0);
  const TourStep& now = tourSteps()[static_cast<std::size_t>(m_step)];
  m_title->setText(now.title);
  m_text->setText(now.text);
  m_count->setText(QStringLiteral("%1 of %2").arg(m_step + 1).arg(count));
  m_back->setEnabled(m_step > 0);
  m_next->setText(m_step + 1 < count ? QStringLiteral("Next") : QStringLiteral("Done"));
  if (m_target) m_target->removeEventFilter(this);
  m_target = m_bringUp(now.place);
  m_target->installEventFilter(this);
  // A panel that was raised has its place only after the layout has settled.
  QTimer::singleShot(0, this, &Tour::place);
  place();
  show();
  m_next->setFocus();
}

/// Beside the panel, where the window has most room.
void Tour::place() {
  const QWidget* window = parentWidget();
  const QRect panel(m_target->mapTo(window, QPoint()), m_target->size());
  const QRect room = window->rect().adjusted(kBeside, kBeside, -kBeside, -kBeside);
  m_ring->setGeometry(panel.adjusted(-2, -2, 2, 2));
  m_ring->show();
  const int wide = std::min(kCardWidth, room.width());
  const int high = std::max(heightForWidth(wide), sizeHint().height());
  QRect card(0, 0, wide, high);
  const QRect left(room.left(), room.top(), panel.left() - room.left(), room.height());
  const QRect right(panel.right(), room.top(), room.right() - panel.right(), room.height());
  const QRect above(room.left(), room.top(), room.width(), panel.top() - room.top());
  const QRect below(room.left(), panel.bottom(), room.width(), room.bottom() - panel.bottom());
  if (right.width() >= wide + kBeside && right.width() >= left.width())
    card.moveTopLeft({panel.right() + kBeside, panel.top()});
  else if (left.width() >= wide + kBeside)
    card.moveTopRight({panel.left() - kBeside, panel.top()});
  else if (above.height() >= high + kBeside)
    card.moveBottomLeft(
        {panel.left(), panel.top() - (above.height() >= high + kTabs ? kTabs : kBeside)});
  else if (below.height() >= high + kBeside)
    card.moveTopRight({panel.right(), panel.bottom() + kBeside});
  else
    card.moveBottomRight(panel.bottomRight() - QPoint(kBeside, kBeside));
  card.moveLeft(std::clamp(card.left(), room.left(), std::max(room.left(), room.right() - wide)));
  card.moveTop(std::clamp(card.top(), room.top(), std::max(room.top(), room.bottom() - high)));
  setGeometry(card);
  raiseAll();
}

void Tour::raiseAll() {
  m_ring->raise();
  raise();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
  const bool moves = event->type() == QEvent::Resize || event->type() == QEvent::Move;
  if (moves && m_target) QTimer::singleShot(0, this, &Tour::place);
  return QFrame::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    close();
  else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    m_next->click();
  else
    QFrame::keyPressEvent(event);
}

}  // namespace gridloom::widgets
