// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/welcome_page.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "bridge/example_looks.h"
#include "models/examples.h"
#include "models/tour_steps.h"
#include "window/welcome_cards.h"

namespace gridloom::widgets {

namespace {

constexpr int kMostWidth = 1200, kUsualHeight = 720;  // on larger pages, all grows
constexpr double kMostGrowth = 1.5;
constexpr int kLeastAbove = 24, kMostAbove = 160;
constexpr int kWidthForFour = 1000;  // cards side by side
constexpr int kWidthForFive = 1000;  // steps side by side
constexpr int kBetweenCards = 14, kStepGap = 14;
constexpr double kHighestPicture = 0.8;  // of a picture, over its width
constexpr int kSizeSettles = 150;        // milliseconds without another size

QLabel* words(const QString& text, const char* role) {
  auto* label = new QLabel(text);
  label->setProperty("role", QString::fromLatin1(role));
  return label;
}

QPushButton* button(const QString& text, const char* role) {
  auto* made = new QPushButton(text);
  made->setProperty("role", QString::fromLatin1(role));
  return made;
}

/// A title, a remark beside it, and what stands at the right.
QHBoxLayout* headLine(const QString& title, const QString& remark, QWidget* right) {
  auto* row = new QHBoxLayout;
  row->setSpacing(10);
  row->addWidget(words(title, "section"));
  row->addWidget(words(remark, "faint"));
  row->addStretch();
  if (right) row->addWidget(right);
  return row;
}

}  // namespace

WelcomePage::WelcomePage(ExampleLooks* looks, const QStringList& recent, QWidget* parent)
    : QScrollArea(parent), m_looks(looks), m_page(new QWidget) {
  setObjectName(QStringLiteral("welcome"));
  setAccessibleName(QStringLiteral("Welcome page"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);
  // The page lies over all panels, and its scroll bar has no ground of its own.
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Window);
  m_page->setObjectName(QStringLiteral("welcomePage"));
  auto* column = new QVBoxLayout(m_page);
  column->setSpacing(12);
  column->addWidget(makeHead());
  column->addSpacing(4);
  auto* gallery = button(QStringLiteral("Machines and kernels…"), "plain");
  gallery->setObjectName(QStringLiteral("openGallery"));
  gallery->setToolTip(QStringLiteral("All that are built in (Ctrl+G)"));
  connect(gallery, &QPushButton::clicked, this, &WelcomePage::galleryWanted);
  column->addLayout(
      headLine(QStringLiteral("Examples"),
               QStringLiteral("searched and simulated now; the wafer when you open it"), gallery));
  m_grid = new QGridLayout;
  m_grid->setSpacing(kBetweenCards);
  for (std::size_t i = 0; i < examples().size(); ++i) {
    const auto project = projectOf(examples()[i]);
    auto* card = new ExampleCard(examples()[i], static_cast<int>(i + 1),
                                 project ? sizesOf(*project) : QString());
    card->setLook(m_looks->look(i));
    connect(card, &QAbstractButton::clicked, this,
            [this, i] { Q_EMIT exampleChosen(static_cast<int>(i)); });
    m_cards << card;
  }
  column->addLayout(m_grid);
  column->addSpacing(4);
  column->addWidget(makeTour());
  column->addSpacing(4);
  m_recentHead = new QWidget;
  auto* head = headLine(QStringLiteral("Recent projects"), {}, nullptr);
  head->setContentsMargins(0, 0, 0, 0);
  m_recentHead->setLayout(head);
  column->addWidget(m_recentHead);
  m_recent = new QVBoxLayout;
  m_recent->setSpacing(4);
  column->addLayout(m_recent);
  column->addWidget(words(QStringLiteral("Ctrl+Shift+P finds every command · F1 lists the keys · "
                                         "Shift+F1 opens the help pages"),
                          "faint"));
  column->addStretch();
  setWidget(m_page);
  setRecent(recent);
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSizeSettles);
  connect(&m_settle, &QTimer::timeout, this, &WelcomePage::drawPictures);
  connect(looks, &ExampleLooks::found, this,
          [this](std::size_t i) { m_cards[static_cast<int>(i)]->setLook(m_looks->look(i)); });
}

QWidget* WelcomePage::makeHead() {
  auto* head = new QWidget;
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  auto* titles = new QVBoxLayout;
  titles->setSpacing(2);
  titles->addWidget(words(QStringLiteral("Gridloom studio"), "headline"));
  titles->addWidget(words(
      QStringLiteral("Map a tensor kernel onto a mesh of cores, and see where every cycle goes."),
      "muted"));
  row->addLayout(titles);
  row->addStretch();
  auto* fresh = button(QStringLiteral("New project"), "primary");
  fresh->setToolTip(QStringLiteral("Ctrl+N"));
  connect(fresh, &QPushButton::clicked, this, &WelcomePage::newWanted);
  auto* open = button(QStringLiteral("Open…"), "plain");
  open->setToolTip(QStringLiteral("Ctrl+O"));
  connect(open, &QPushButton::clicked, this, &WelcomePage::openWanted);
  auto* close = button(QStringLiteral("Close"), "plain");
  close->setObjectName(QStringLiteral("closeWelcome"));
  close->setToolTip(QStringLiteral("Shows the panels of the current project (Esc)"));
  connect(close, &QPushButton::clicked, this, &WelcomePage::closed);
  for (QPushButton* each : {fresh, open, close}) row->addWidget(each, 0, Qt::AlignTop);
  return head;
}

QWidget* WelcomePage::makeTour() {
  auto* tour = new QWidget;
  auto* column = new QVBoxLayout(tour);
  column->setContentsMargins(0, 0, 0, 0);
  auto* start = button(QStringLiteral("Start the tour"), "primary");
  start->setObjectName(QStringLiteral("startTour"));
  connect(start, &QPushButton::clicked, this, &WelcomePage::tourWanted);
  column->addLayout(headLine(QStringLiteral("Five steps to the first chart"),
                             QStringLiteral("one minute, in the current project"), start));
  auto* frame = new QFrame;
  frame->setProperty("role", QStringLiteral("card"));
  for (QWidget* each : {tour, static_cast<QWidget*>(frame)})
    each->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  m_steps = new QGridLayout(frame);
  m_steps->setContentsMargins(kStepGap, 12, kStepGap, 12);
  m_steps->setSpacing(kStepGap);
  int number = 0;
  for (const TourStep& step : tourSteps()) {
    auto* cell = new QWidget;
    auto* lines = new QVBoxLayout(cell);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(3);
    auto* title = words(QStringLiteral("%1  %2").arg(++number).arg(step.title), "strong");
    auto* summary = words(step.summary, "muted");
    for (QLabel* each : {title, summary}) {
      each->setWordWrap(true);
      each->setAlignment(Qt::AlignTop | Qt::AlignLeft);
      lines->addWidget(each);
    }
    lines->addStretch();
    m_stepCells << cell;
  }
  column->addWidget(frame);
  return tour;
}

void WelcomePage::setRecent(const QStringList& paths) {
  while (QLayoutItem* old = m_recent->takeAt(0)) {
    delete old->widget();
    delete old;
  }
  for (const QString& path : paths) {
    auto* row = new RecentRow(path);
    connect(row, &QAbstractButton::clicked, this, [this, path] { Q_EMIT projectChosen(path); });
    m_recent->addWidget(row);
  }
  m_recentHead->setVisible(!paths.isEmpty());
  arrange();
  m_settle.start();
}

double WelcomePage::growth() const {
  return std::clamp(std::min((width() - 80.0) / kMostWidth, 1.0 * height() / kUsualHeight), 1.0,
                    kMostGrowth);
}

/// Cards and steps in as many columns as the width has room for, and as large as the page allows.
/// A page that is still higher has a part of its free room above them.
void WelcomePage::arrange() {
  const double grown = growth();
  const int side = std::max(width() >= kWidthForFour ? 40 : 20,
                            (width() - static_cast<int>(kMostWidth * grown)) / 2);
  const int columns = width() >= kWidthForFour ? 4 : 2;
  const int steps = width() >= kWidthForFive ? 5 : 2;
  fitSteps(width() - 2 * side, steps);
  if (columns * 10 + steps != m_columns) placeInColumns(columns, steps);
  fitPictures((width() - 2 * side - (columns - 1) * kBetweenCards) / columns - ExampleCard::kFrame,
              columns);
  m_page->layout()->setContentsMargins(side, above(), side, 20);
}

void WelcomePage::placeInColumns(int columns, int steps) {
  m_columns = columns * 10 + steps;
  for (int i = 0; i < m_cards.size(); ++i) m_grid->addWidget(m_cards[i], i / columns, i % columns);
  for (int i = 0; i < m_stepCells.size(); ++i)
    m_steps->addWidget(m_stepCells[i], i / steps, i % steps);
  for (int i = 0; i < 5; ++i) {
    m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    m_steps->setColumnStretch(i, i < steps ? 1 : 0);
  }
}

int WelcomePage::contentHeight() const {
  const QLayout* column = m_page->layout();
  return column->sizeHint().height() - column->contentsMargins().top();
}

/// Above the page: a third of the room that it leaves free.
int WelcomePage::above() const {
  return std::clamp((height() - contentHeight()) / 3, kLeastAbove, kMostAbove);
}

/// As wide as `room`, and as high as the page has height.
void WelcomePage::fitPictures(int room, int columns) {
  const auto set = [&](int high) {
    m_picture = {room, high};
    for (ExampleCard* card : m_cards) card->setPictureSize(m_picture);
    m_grid->invalidate();  // keeps the heights it had
  };
  set(ExampleCard::kLeastPicture);
  const int rows = (static_cast<int>(m_cards.size()) + columns - 1) / columns;
  const int spare = (height() - contentHeight() - 2 * kLeastAbove) / rows;
  const int most = static_cast<int>(kHighestPicture * room) - ExampleCard::kLeastPicture;
  set(ExampleCard::kLeastPicture + std::clamp(spare, 0, std::max(0, most)));
}

void WelcomePage::drawPictures() {
  if (isVisible()) m_looks->start(m_picture, devicePixelRatioF());
}

/// A layout would keep the height that lines need when they are narrow.
void WelcomePage::fitSteps(int width, int columns) {
  const int cell = (width - 2 * kStepGap - (columns - 1) * kStepGap) / columns;
  for (const QWidget* each : m_stepCells) {
    for (QLabel* label : each->findChildren<QLabel*>()) {
      label->setMinimumHeight(0);  // the height for a width is no less
      label->setFixedHeight(label->heightForWidth(cell - 2));
    }
  }
}

void WelcomePage::resizeEvent(QResizeEvent* event) {
  arrange();
  m_settle.start();
  QScrollArea::resizeEvent(event);
}

void WelcomePage::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  drawPictures();
  m_cards.front()->setFocus();
}

void WelcomePage::keyPressEvent(QKeyEvent* event) {
  const int number = event->key() - Qt::Key_1;
  if (event->key() == Qt::Key_Escape) {
    Q_EMIT closed();
  } else if (event->modifiers() == Qt::NoModifier && number >= 0 && number < m_cards.size()) {
    m_cards[number]->click();
  } else {
    QScrollArea::keyPressEvent(event);
  }
}

bool WelcomePage::focusNextPrevChild(bool next) {
  QList<QWidget*> stops;
  for (QAbstractButton* each : m_page->findChildren<QAbstractButton*>()) {
    if (each->isEnabled() && each->isVisibleTo(this)) stops << each;
  }
  if (stops.isEmpty()) return false;
  std::ranges::sort(stops, [this](const QWidget* a, const QWidget* b) {
    const QPoint x = a->mapTo(m_page, QPoint()), y = b->mapTo(m_page, QPoint());
    return std::pair(x.y(), x.x()) < std::pair(y.y(), y.x());
  });
  const auto at = stops.indexOf(focusWidget());
  const qsizetype count = stops.size();
  const qsizetype to = at < 0 ? 0 : (at + (next ? 1 : count - 1)) % count;
  stops[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  ensureWidgetVisible(stops[to]);
  return true;
}

}  // namespace gridloom::widgets
