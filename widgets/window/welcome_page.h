// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QTimer>

class QGridLayout;
class QPushButton;
class QVBoxLayout;

namespace gridloom::widgets {

class ExampleCard;
class ExampleLooks;

/// The page that covers the panels at the start: examples, the tour, recent projects. Escape, or
/// *Close*, shows the panels.
class WelcomePage : public QScrollArea {
  Q_OBJECT
 public:
  WelcomePage(ExampleLooks* looks, const QStringList& recent, QWidget* parent);
  void setRecent(const QStringList& paths);
  const QList<ExampleCard*>& cards() const { return m_cards; }

 Q_SIGNALS:
  void exampleChosen(int example);
  void projectChosen(const QString& path);
  void newWanted();
  void openWanted();
  void galleryWanted();
  void tourWanted();
  void closed();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  /// The panels below are covered: Tab stays on the page.
  bool focusNextPrevChild(bool next) override;

 private:
  QWidget* makeHead();
  QWidget* makeTour();
  void arrange();
  void placeInColumns(int columns, int steps);
  int above() const;
  double growth() const;  ///< of the page's width, 1 and more
  int contentHeight() const;
  void fitPictures(int room, int columns);
  void drawPictures();
  void fitSteps(int width, int columns);

  ExampleLooks* m_looks;
  QWidget* m_page;
  QGridLayout* m_grid;
  QGridLayout* m_steps;
  QVBoxLayout* m_recent;
  QWidget* m_recentHead;
  QList<ExampleCard*> m_cards;
  QList<QWidget*> m_stepCells;
  int m_columns = 0;
  QSize m_picture;  ///< of a card
  QTimer m_settle;  ///< until pictures are drawn for a new size
};

}  // namespace gridloom::widgets
