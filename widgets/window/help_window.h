// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;

namespace gridloom::widgets {

class HelpBrowser;

/// The documentation in a window of its own: a list of pages, the page, and a search in it.
class HelpWindow : public QDialog {
  Q_OBJECT
 public:
  explicit HelpWindow(QWidget* parent = nullptr);
  HelpBrowser* browser() const { return m_browser; }
  QLineEdit* search() const { return m_search; }
  QListWidget* pages() const { return m_pages; }

 private:
  void listPages();
  void findNext();
  HelpBrowser* m_browser;
  QListWidget* m_pages;
  QLineEdit* m_search;
  QLabel* m_remark;
};

}  // namespace gridloom::widgets
