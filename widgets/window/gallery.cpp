// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/gallery.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include "models/quantity_text.h"
#include "texts/presets.h"
#include "window/gallery_delegate.h"

namespace gridloom::widgets {

Gallery::Gallery(PresetLooks::Kind first, QWidget* parent)
    : QDialog(parent), m_tabs(new QTabWidget), m_words(new QLineEdit) {
  setObjectName(QStringLiteral("gallery"));
  setWindowTitle(QStringLiteral("Built-in machines and kernels"));
  resize(std::min(980, parent->width() - 20), std::min(720, parent->height() - 20));
  m_words->setPlaceholderText(QStringLiteral("Words of the name or of what it is about"));
  m_words->setAccessibleName(QStringLiteral("Filter the gallery"));
  m_words->setClearButtonEnabled(true);
  m_words->installEventFilter(this);
  m_machines = build(PresetLooks::Kind::Hardware, QStringLiteral("Machines"));
  m_kernels = build(PresetLooks::Kind::Kernel, QStringLiteral("Kernels"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 12, 12, 12);
  column->addWidget(m_words);
  column->addWidget(m_tabs);
  m_tabs->setCurrentWidget(list(first));
  connect(m_words, &QLineEdit::textChanged, this, &Gallery::narrow);
  m_words->setFocus();
  m_kernelLooks.start({}, 1);
  m_machineLooks.start(QSizeF(GalleryDelegate::kPicture), devicePixelRatioF());
}

QListWidget* Gallery::list(PresetLooks::Kind kind) const {
  return kind == PresetLooks::Kind::Hardware ? m_machines : m_kernels;
}

const PresetLooks& Gallery::looks(PresetLooks::Kind kind) const {
  return kind == PresetLooks::Kind::Hardware ? m_machineLooks : m_kernelLooks;
}

QListWidget* Gallery::build(PresetLooks::Kind kind, const QString& title) {
  const bool hardware = kind == PresetLooks::Kind::Hardware;
  PresetLooks& looks = hardware ? m_machineLooks : m_kernelLooks;
  auto* cards = new QListWidget;
  cards->setAccessibleName(title);
  cards->setViewMode(QListView::IconMode);
  cards->setResizeMode(QListView::Adjust);
  cards->setMovement(QListView::Static);
  cards->setUniformItemSizes(true);
  // The width of the cards does not depend on how many there are.
  cards->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  cards->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  cards->setMouseTracking(true);
  cards->setItemDelegate(new GalleryDelegate(looks, kind, cards));
  for (const texts::Preset& preset : looks.presets()) {
    auto* item = new QListWidgetItem(text(preset.name), cards);
    item->setToolTip(text(preset.summary));
  }
  cards->setCurrentRow(0);
  connect(&looks, &PresetLooks::found, cards, [cards] { cards->viewport()->update(); });
  const auto choose = [this, hardware](const QListWidgetItem* item) {
    const QString name = item->text();
    accept();
    Q_EMIT chosen(name, hardware);
  };
  connect(cards, &QListWidget::itemClicked, this, choose);
  connect(cards, &QListWidget::itemActivated, this, [this, choose](const QListWidgetItem* item) {
    if (isVisible()) choose(item);
  });
  m_tabs->addTab(cards, title);
  return cards;
}

void Gallery::narrow(const QString& words) {
  for (QListWidget* cards : {m_machines, m_kernels}) {
    int first = -1;
    for (int row = 0; row < cards->count(); ++row) {
      QListWidgetItem* item = cards->item(row);
      const QString all = item->text() + QLatin1Char(' ') + item->toolTip();
      const QStringList each = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
      const bool hidden = !std::ranges::all_of(
          each, [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
      item->setHidden(hidden);
      if (!hidden && first < 0) first = row;
    }
    cards->setCurrentRow(first);
  }
}

/// Arrow keys and Return in the words go to the cards, Ctrl+Tab to the tabs.
bool Gallery::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    auto* cards = static_cast<QListWidget*>(m_tabs->currentWidget());
    const auto* pressed = static_cast<QKeyEvent*>(event);
    switch (pressed->key()) {
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      if (!pressed->modifiers().testFlag(Qt::ControlModifier)) break;
      m_tabs->setCurrentIndex(1 - m_tabs->currentIndex());
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (cards->currentItem()) Q_EMIT cards->itemActivated(cards->currentItem());
      return true;
    case Qt::Key_Down:
      cards->setFocus();
      return true;
    default:
      break;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace gridloom::widgets
