// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help_browser.h"

#include <QDesktopServices>
#include <QEvent>
#include <QFile>
#include <QImage>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>
#include <algorithm>

#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

const QString kFolder = QStringLiteral(":/studio/docs/");
constexpr int kMostText = 760;  // pixels of a line that is read with ease
constexpr double kHeading[] = {1.0, 1.7, 1.3, 1.1};

/// A document may begin with a heading; the others keep a distance to what is above.
void formatBlock(QTextBlock block, const Tokens& tokens, double points) {
  QTextCursor cursor(block);
  cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
  const int level = std::min(block.blockFormat().headingLevel(), 3);
  QTextBlockFormat format = block.blockFormat();
  QTextCharFormat ink;
  if (level > 0) {
    format.setTopMargin(level == 1 ? 6 : 18);
    format.setBottomMargin(6);
    ink.setFontPointSize(points * kHeading[level]);
    ink.setFontWeight(QFont::DemiBold);
    cursor.mergeCharFormat(ink);
  } else if (format.nonBreakableLines() || format.hasProperty(QTextFormat::BlockCodeFence)) {
    format.setBackground(tokens.raised);
    format.setLeftMargin(8);
  } else if (!block.textList() && !QTextCursor(block).currentTable()) {
    format.setBottomMargin(8);
    // A picture is a line, too.
    if (!block.text().contains(QChar::ObjectReplacementCharacter))
      format.setLineHeight(125, QTextBlockFormat::ProportionalHeight);
  }
  cursor.setBlockFormat(format);
}

void formatTable(QTextTable& table, const Tokens& tokens) {
  QTextTableFormat format = table.format();
  format.setBorderCollapse(true);
  format.setBorder(1);
  format.setBorderBrush(tokens.border);
  format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
  format.setCellPadding(5);
  format.setCellSpacing(0);
  format.setTopMargin(4);
  format.setBottomMargin(12);
  table.setFormat(format);
}

}  // namespace

HelpBrowser::HelpBrowser(QWidget* parent) : QTextBrowser(parent) {
  setAccessibleName(QStringLiteral("Help page"));
  setOpenLinks(true);
  setOpenExternalLinks(false);
  connect(this, &QTextBrowser::sourceChanged, this, &HelpBrowser::adopt);
}

bool HelpBrowser::isPage(const QString& page) {
  return page.endsWith(QStringLiteral(".md")) && QFile::exists(kFolder + page);
}

QString HelpBrowser::anchorOf(const QString& heading) {
  QString anchor;
  for (const QChar each : heading.toLower()) {
    if (each.isLetterOrNumber() || each == QLatin1Char('_'))
      anchor += each;
    else if (each == QLatin1Char(' ') || each == QLatin1Char('-'))
      anchor += QLatin1Char('-');
  }
  return anchor;
}

bool HelpBrowser::showPage(const QString& link) {
  const QString page = link.section(QLatin1Char('#'), 0, 0);
  if (!isPage(page)) return false;
  setSource(QUrl(link));
  return true;
}

/// Links come here; *Back* and *Forward* do not, as they lead to pages alone.
void HelpBrowser::doSetSource(const QUrl& url, QTextDocument::ResourceType type) {
  const QString scheme = url.scheme();
  if (scheme == QLatin1String("https") || scheme == QLatin1String("http"))
    QDesktopServices::openUrl(url);
  else if (scheme.isEmpty() && (url.path().isEmpty() || isPage(url.path())))
    QTextBrowser::doSetSource(url, type);
  else
    Q_EMIT leftAlone(url.toString());
}

QVariant HelpBrowser::loadResource(int type, const QUrl& name) {
  if (type == QTextDocument::ImageResource) {
    const QImage image(kFolder + name.path());
    const int most = std::min(kMostText, viewport()->width() - 60);
    return image.width() > most ? image.scaledToWidth(most, Qt::SmoothTransformation) : image;
  }
  QFile file(kFolder + name.path());
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void HelpBrowser::adopt(const QUrl& url) {
  if (!url.path().isEmpty()) m_page = url.path();
  format();
  goToHeading(url.fragment());
  Q_EMIT pageShown(m_page);
}

void HelpBrowser::format() {
  const Tokens& tokens = tokensFor(palette());
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
    formatBlock(block, tokens, font().pointSizeF());
  for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
    if (auto* table = qobject_cast<QTextTable*>(frame)) formatTable(*table, tokens);
  }
  QTextFrameFormat root = document()->rootFrame()->frameFormat();
  root.setMargin(20);
  document()->rootFrame()->setFrameFormat(root);
  moveCursor(QTextCursor::Start);
}

void HelpBrowser::goToHeading(const QString& anchor) {
  verticalScrollBar()->setValue(0);
  if (anchor.isEmpty()) return;
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != anchor) continue;
    setTextCursor(QTextCursor(block));
    const int above = cursorRect().top();
    verticalScrollBar()->setValue(verticalScrollBar()->value() + above - 8);
    return;
  }
}

void HelpBrowser::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  // Colours and sizes are those of the theme.
  if (event->type() == QEvent::PaletteChange && !m_page.isEmpty()) reload();
}

}  // namespace gridloom::widgets
