// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace gridloom::widgets {

/// A page of the documentation. Links lead to pages and to their headings; pictures are as wide as
/// the page at most.
class HelpBrowser : public QTextBrowser {
  Q_OBJECT
 public:
  explicit HelpBrowser(QWidget* parent = nullptr);
  /// `studio.md`, or `command.md#explain`. False: there is no such page.
  bool showPage(const QString& link);
  /// The page that is shown, without its heading: `studio.md`.
  const QString& page() const { return m_page; }
  static bool isPage(const QString& page);
  /// "Where the peak went" -> "where-the-peak-went", as links name headings.
  static QString anchorOf(const QString& heading);

 Q_SIGNALS:
  void pageShown(const QString& page);
  /// A link out of these pages, such as to a file of the sources.
  void leftAlone(const QString& link);

 protected:
  void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;
  QVariant loadResource(int type, const QUrl& name) override;
  void changeEvent(QEvent* event) override;

 private:
  void adopt(const QUrl& url);
  void format();
  void goToHeading(const QString& anchor);
  QString m_page;
};

}  // namespace gridloom::widgets
