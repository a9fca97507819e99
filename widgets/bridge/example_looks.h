// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QSizeF>
#include <vector>

#include "bridge/job.h"

namespace gridloom::widgets {

struct MeshScene;

/// How an example looks: its mesh with the best mapping, and what that achieves.
struct ExampleLook {
  QImage light, dark;
  /// What they show; null of an example that is not quick, whose scene has a hundred megabytes.
  std::shared_ptr<const MeshScene> scene;
  QString machine;  ///< "wormhole_8x8, 64 cores"
  QString rate;     ///< "38.4 TFLOP/s"; of the machine's peak where nothing was searched
  QString share;    ///< "58.6% of peak", or that `rate` is the peak
};

/// The looks of all examples, found by the engine in the background, one after the other.
class ExampleLooks : public QObject {
  Q_OBJECT
 public:
  explicit ExampleLooks(QObject* parent = nullptr);
  ~ExampleLooks() override;

  /// Begins; `size` of the pictures in pixels of a screen with this ratio. With another size than
  /// before, draws those that are known anew. Without effect while it runs or when all are known.
  void start(QSizeF size, double ratio);
  /// Ends what runs, until start() goes on with it: a wafer takes hundreds of megabytes.
  void stop();
  /// Null before it is known, and of an example that failed.
  const ExampleLook* look(std::size_t example) const;

 Q_SIGNALS:
  void found(std::size_t example);

 private:
  void next();

  Job m_job;
  QSizeF m_size;
  double m_ratio = 1;
  std::size_t m_next = 0;
  bool m_started = false;
  std::vector<std::shared_ptr<const ExampleLook>> m_looks;
};

}  // namespace gridloom::widgets
