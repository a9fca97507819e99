// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/command_palette.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTimer>
#include <algorithm>
#include <cstdlib>

#include "theme/tokens.h"

namespace gridloom::widgets {

QString plainTitle(const QAction& action) {
  QString title = action.text();
  title.remove(QLatin1Char('&'));
  if (title.endsWith(QChar(0x2026))) title.chop(1);
  return title;
}

namespace {

constexpr int kAction = Qt::UserRole, kKeys = Qt::UserRole + 1;
constexpr int kPaletteWidth = 480, kPaletteRows = 13;
constexpr int kToEdge = 10;  // pixels from the keys to the edge of the list

/// A command with its keys at the right.
class KeyDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const QRect place = option.rect.adjusted(0, 0, -kToEdge, 0);
    painter->setFont(option.font);
    painter->setPen(tokensFor(option.palette).muted);
    painter->drawText(place, Qt::AlignRight | Qt::AlignVCenter, index.data(kKeys).toString());
  }
};

}  // namespace

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint),
      m_actions(actions),
      m_words(new QLineEdit),
      m_list(new QListWidget) {
  setWindowTitle(QStringLiteral("Command palette"));
  setObjectName(QStringLiteral("palette"));
  m_words->setPlaceholderText(QStringLiteral("Type a command"));
  m_words->setAccessibleName(QStringLiteral("Command"));
  m_list->setAccessibleName(QStringLiteral("Matching commands"));
  m_list->setUniformItemSizes(true);
  m_list->setItemDelegate(new KeyDelegate(m_list));
  m_list->setFocusPolicy(Qt::NoFocus);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 10, 10, 10);
  column->addWidget(m_words);
  column->addWidget(m_list);
  m_words->installEventFilter(this);
  connect(m_words, &QLineEdit::textChanged, this, &CommandPalette::narrow);
  connect(m_words, &QLineEdit::returnPressed, this, &CommandPalette::trigger);
  connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::trigger);
  narrow({});
}

bool CommandPalette::matches(const QString& title, const QString& words) {
  qsizetype at = 0;
  for (const QChar letter : words) {
    if (letter.isSpace()) continue;
    at = title.indexOf(letter, at, Qt::CaseInsensitive);
    if (at < 0) return false;
    ++at;
  }
  return true;
}

void CommandPalette::narrow(const QString& words) {
  m_list->clear();
  // Names that contain the words as typed come before those that only have the letters.
  for (const bool literal : {true, false}) {
    for (qsizetype i = 0; i < m_actions.size(); ++i) {
      const QString title = plainTitle(*m_actions[i]);
      if (title.contains(words, Qt::CaseInsensitive) != literal || !matches(title, words)) continue;
      auto* item = new QListWidgetItem(title);
      item->setData(kAction, static_cast<int>(i));
      item->setData(kKeys, m_actions[i]->shortcut().toString(QKeySequence::NativeText));
      if (!m_actions[i]->isEnabled()) item->setFlags(Qt::NoItemFlags);
      m_list->addItem(item);
    }
  }
  if (m_list->count() == 0) {
    m_list->addItem(QStringLiteral("No command has these letters"));
    m_list->item(0)->setFlags(Qt::NoItemFlags);
  }
  m_list->setCurrentRow(0);
  fit();
}

/// As high as what is listed.
void CommandPalette::fit() {
  const int rows = std::min(m_list->count(), kPaletteRows);
  m_list->setFixedHeight(rows * m_list->sizeHintForRow(0) + 2 * m_list->frameWidth());
  // Until the layout knows, its old height is the least.
  layout()->activate();
  resize(kPaletteWidth, sizeHint().height());
}

void CommandPalette::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  // Only now do rows have the height of the style sheet.
  fit();
}

void CommandPalette::trigger() {
  const QListWidgetItem* item = m_list->currentItem();
  if (!item || !(item->flags() & Qt::ItemIsEnabled)) return;
  QAction* action = m_actions[item->data(kAction).toInt()];
  accept();
  // After this dialog has closed, since the action may open another one.
  QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (step != 0 && m_list->count() > 0) {
      m_list->setCurrentRow((m_list->currentRow() + step + m_list->count()) % m_list->count());
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

namespace {

/// What is done, and the keys that do it; no keys: the heading of those below.
struct ShortcutLine {
  QString words, keys;
  bool isHeading() const { return keys.isEmpty(); }
};

/// The menu of the bar in which an action is.
QString menuOf(const QAction& action) {
  for (QObject* each : action.associatedObjects()) {
    auto* menu = qobject_cast<QMenu*>(each);
    while (menu && qobject_cast<QMenu*>(menu->parentWidget()))
      menu = qobject_cast<QMenu*>(menu->parentWidget());
    if (menu) return menu->title().remove(QLatin1Char('&'));
  }
  return {};
}

QList<ShortcutLine> shortcutLines(const QList<QAction*>& actions) {
  QList<ShortcutLine> lines;
  QString group;
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    const QString menu = menuOf(*action);
    if (menu != group && !menu.isEmpty()) lines << ShortcutLine{menu, {}};
    group = menu;
    lines << ShortcutLine{plainTitle(*action),
                          action->shortcut().toString(QKeySequence::NativeText)};
  }
  lines << ShortcutLine{QStringLiteral("In the views"), {}}
        << ShortcutLine{QStringLiteral("Walk over cores (mesh)"), QStringLiteral("Arrow keys")}
        << ShortcutLine{QStringLiteral("Zoom (mesh)"), QStringLiteral("Wheel, +, −")}
        << ShortcutLine{QStringLiteral("Toggle a comment (editors)"), QStringLiteral("Ctrl+/")};
  return lines;
}

void addLine(QGridLayout& grid, const ShortcutLine& line) {
  const int row = grid.rowCount();
  auto* words = new QLabel(line.words);
  if (line.isHeading()) {
    words->setProperty("role", QStringLiteral("title"));
    constexpr int kAbove = 8;
    words->setContentsMargins(0, kAbove, 0, 0);
    return grid.addWidget(words, row, 0, 1, 2);
  }
  grid.addWidget(words, row, 0);
  auto* keys = new QLabel(line.keys);
  keys->setProperty("role", QStringLiteral("muted"));
  grid.addWidget(keys, row, 1);
}

}  // namespace

ShortcutSheet::ShortcutSheet(const QList<QAction*>& actions, QWidget* parent) : QDialog(parent) {
  setWindowTitle(QStringLiteral("Keyboard shortcuts"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(22, 18, 22, 14);
  auto* list = new QWidget;
  auto* halves = new QHBoxLayout(list);
  halves->setContentsMargins(0, 0, 0, 0);
  halves->setSpacing(36);
  QGridLayout* grids[2];
  for (QGridLayout*& grid : grids) {
    grid = new QGridLayout;
    grid->setHorizontalSpacing(28);
    grid->setVerticalSpacing(5);
    halves->addLayout(grid);
  }
  const QList<ShortcutLine> lines = shortcutLines(actions);
  // Side by side, both halves are seen whole in the smallest window. A group is not parted.
  qsizetype half = 0;
  for (qsizetype i = 1; i < lines.size(); ++i) {
    const auto off = [&](qsizetype at) { return std::abs(2 * at - lines.size()); };
    if (lines[i].isHeading() && (half == 0 || off(i) < off(half))) half = i;
  }
  for (qsizetype i = 0; i < lines.size(); ++i) addLine(*grids[i < half ? 0 : 1], lines[i]);
  for (QGridLayout* grid : grids) grid->setRowStretch(grid->rowCount(), 1);
  // On a small screen the list scrolls, so that the button stays in reach.
  auto* scroll = new QScrollArea;
  scroll->setWidget(list);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(list->sizeHint().width() +
                          scroll->verticalScrollBar()->sizeHint().width());
  column->addWidget(scroll);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addSpacing(10);
  column->addWidget(buttons);
  const int around = sizeHint().height() - scroll->sizeHint().height();
  resize(sizeHint().width(),
         std::min(list->sizeHint().height() + around, screen()->availableSize().height() * 8 / 10));
}

}  // namespace gridloom::widgets
