// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/studio_settings.h"

#include <QFileInfo>
#include <QSettings>

#include "charts/chart_parts.h"

namespace gridloom::widgets {

namespace {

constexpr qsizetype kMostRecent = 8;
constexpr int kLayoutVersion = 1;

}  // namespace

StudioSettings::StudioSettings(const QString& path)
    : m_store(path.isEmpty() ? std::make_unique<QSettings>(
                                   QSettings::IniFormat, QSettings::UserScope,
                                   QStringLiteral("gridloom"), QStringLiteral("studio"))
                             : std::make_unique<QSettings>(path, QSettings::IniFormat)) {
  if (m_store->status() != QSettings::NoError ||
      m_store->value("version", kLayoutVersion).toInt() != kLayoutVersion) {
    m_store->clear();
  }
  m_store->setValue("version", kLayoutVersion);
}

StudioSettings::~StudioSettings() = default;

Scheme StudioSettings::scheme() const { return schemeNamed(m_store->value("theme").toString()); }
void StudioSettings::setScheme(Scheme scheme) { m_store->setValue("theme", nameOf(scheme)); }

QStringList StudioSettings::recentProjects() const {
  return m_store->value("recent").toStringList().mid(0, kMostRecent);
}

void StudioSettings::addRecentProject(const QString& path) {
  QStringList list = recentProjects();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  list.removeAll(absolute);
  list.prepend(absolute);
  m_store->setValue("recent", list.mid(0, kMostRecent));
}

void StudioSettings::forgetRecentProjects() { m_store->remove("recent"); }

QStringList StudioSettings::hiddenColumns() const {
  return m_store->value("hiddenColumns").toStringList();
}
void StudioSettings::setHiddenColumns(const QStringList& keys) {
  m_store->setValue("hiddenColumns", keys);
}

double StudioSettings::figureWidth() const {
  const double width = m_store->value("figureWidth").toDouble();
  return width >= 200 && width <= 4000 ? width : kPageWidth;
}
void StudioSettings::setFigureWidth(double pixels) { m_store->setValue("figureWidth", pixels); }

QByteArray StudioSettings::geometry() const { return m_store->value("geometry").toByteArray(); }
QByteArray StudioSettings::layout() const { return m_store->value("layout").toByteArray(); }

FoldedDocks StudioSettings::folded() const {
  return {m_store->value("foldedRight").toBool(), m_store->value("foldedSides").toBool(),
          m_store->value("foldedTabs").toBool(), m_store->value("foldedStack").toBool()};
}

void StudioSettings::setWindow(const QByteArray& geometry, const QByteArray& layout,
                               FoldedDocks folded) {
  m_store->setValue("geometry", geometry);
  m_store->setValue("layout", layout);
  m_store->setValue("foldedRight", folded.right);
  m_store->setValue("foldedSides", folded.sides);
  m_store->setValue("foldedTabs", folded.tabs);
  m_store->setValue("foldedStack", folded.stack);
}

void StudioSettings::forgetWindow() {
  for (const char* key :
       {"geometry", "layout", "foldedRight", "foldedSides", "foldedTabs", "foldedStack"})
    m_store->remove(key);
}

QString StudioSettings::folder() const { return QFileInfo(m_store->fileName()).absolutePath(); }

}  // namespace gridloom::widgets
