// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QString>

namespace gridloom::widgets {

struct Tokens;

struct Example;
struct ExampleLook;

/// An example as a card: its mesh, what it is about, and what the best mapping achieves.
class ExampleCard : public QAbstractButton {
  Q_OBJECT
 public:
  /// `number`: the key that chooses it.
  ExampleCard(const Example& example, int number, const QString& sizes, QWidget* parent = nullptr);
  /// Null: not known yet.
  void setLook(const ExampleLook* look);
  bool hasLook() const { return m_look != nullptr; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }
  static constexpr int kLeastPicture = 128;
  /// Left and right of the picture together.
  static constexpr int kFrame = 4;
  /// The room for the picture, at least kLeastPicture high.
  void setPictureSize(const QSize& size);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintPicture(QPainter& painter, const QRectF& top, const Tokens& tokens) const;
  void paintWords(QPainter& painter, double top, const Tokens& tokens) const;
  const Example& m_example;
  int m_number;
  QString m_sizes;
  const ExampleLook* m_look = nullptr;
  QSize m_picture{280, kLeastPicture};
};

/// A recent project in one row: name, what it is about, its sizes, and when it was saved.
class RecentRow : public QAbstractButton {
  Q_OBJECT
 public:
  explicit RecentRow(const QString& path, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_name, m_subject, m_sizes, m_saved;
};

}  // namespace gridloom::widgets
