// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help_window.h"

#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QShortcut>
#include <algorithm>

#include "window/help_browser.h"

namespace gridloom::widgets {

namespace {

/// In the order in which they are read.
constexpr const char* kPages[] = {"studio.md",       "hardware.md",     "kernel.md",
                                  "command.md",      "schedule.md",     "mlir.md",
                                  "studies.md",      "json.md",         "glossary.md",
                                  "bibliography.md", "architecture.md", "studio_features.md"};

QString titleOf(const QString& page) {
  QFile file(QStringLiteral(":/studio/docs/") + page);
  if (!file.open(QIODevice::ReadOnly)) return page;
  const QString line = QString::fromUtf8(file.readLine()).trimmed();
  return line.startsWith(QStringLiteral("# ")) ? line.mid(2) : page;
}

}  // namespace

HelpWindow::HelpWindow(QWidget* parent)
    : QDialog(parent),
      m_browser(new HelpBrowser),
      m_pages(new QListWidget),
      m_search(new QLineEdit),
      m_remark(new QLabel) {
  setWindowTitle(QStringLiteral("Gridloom help"));
  setObjectName(QStringLiteral("help"));
  const QSize screen = parent->screen()->availableSize();
  resize(std::min(1020, screen.width() - 40), std::min(720, screen.height() - 60));
  m_pages->setAccessibleName(QStringLiteral("Pages"));
  m_pages->setFixedWidth(210);
  m_pages->setWordWrap(true);
  m_pages->setTextElideMode(Qt::ElideNone);
  m_pages->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_search->setPlaceholderText(QStringLiteral("Find in this page"));
  m_search->setAccessibleName(QStringLiteral("Find in this page"));
  m_search->setClearButtonEnabled(true);
  m_remark->setProperty("role", QStringLiteral("faint"));
  auto* back = new QPushButton(QStringLiteral("Back"));
  auto* forward = new QPushButton(QStringLiteral("Forward"));
  back->setEnabled(false);
  forward->setEnabled(false);
  connect(back, &QPushButton::clicked, m_browser, &QTextBrowser::backward);
  connect(forward, &QPushButton::clicked, m_browser, &QTextBrowser::forward);
  connect(m_browser, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
  connect(m_browser, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
  for (QPushButton* each : {back, forward}) each->setAutoDefault(false);

  auto* head = new QHBoxLayout;
  head->setContentsMargins(8, 8, 8, 8);
  head->setSpacing(8);
  head->addWidget(back);
  head->addWidget(forward);
  head->addWidget(m_remark, 1);
  head->addWidget(m_search);
  auto* body = new QHBoxLayout;
  body->setSpacing(0);
  body->addWidget(m_pages);
  body->addWidget(m_browser, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addLayout(body, 1);

  listPages();
  connect(m_search, &QLineEdit::returnPressed, this, &HelpWindow::findNext);
  connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, m_search,
          [this] { m_search->setFocus(); });
  connect(m_browser, &HelpBrowser::leftAlone, this, [this](const QString& link) {
    m_remark->setText(QStringLiteral("%1 is not part of the help pages").arg(link));
  });
  m_browser->showPage(QString::fromLatin1(kPages[0]));
}

void HelpWindow::listPages() {
  for (const char* page : kPages) {
    const QString name = QString::fromLatin1(page);
    if (!HelpBrowser::isPage(name)) continue;
    auto* item = new QListWidgetItem(titleOf(name), m_pages);
    item->setData(Qt::UserRole, name);
  }
  connect(m_pages, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    const QString page = item ? item->data(Qt::UserRole).toString() : QString();
    if (!page.isEmpty() && page != m_browser->page()) m_browser->showPage(page);
  });
  connect(m_browser, &HelpBrowser::pageShown, this, [this](const QString& page) {
    m_remark->clear();
    for (int i = 0; i < m_pages->count(); ++i) {
      if (m_pages->item(i)->data(Qt::UserRole) == page) m_pages->setCurrentRow(i);
    }
  });
}

/// From the cursor on, and from the beginning after the last.
void HelpWindow::findNext() {
  const QString words = m_search->text();
  if (words.isEmpty()) return;
  bool found = m_browser->find(words);
  if (!found) {
    m_browser->moveCursor(QTextCursor::Start);
    found = m_browser->find(words);
  }
  m_remark->setText(found ? QString() : QStringLiteral("not on this page"));
}

}  // namespace gridloom::widgets
