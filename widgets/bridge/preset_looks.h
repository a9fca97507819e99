// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QSizeF>
#include <QStringList>
#include <vector>

#include "bridge/job.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::widgets {

/// How a preset looks in a gallery: of a machine its mesh and facts, of a kernel its equations.
struct PresetLook {
  QImage light, dark;  ///< of a machine
  QStringList lines;
};

/// The looks of all presets of one kind, found in the background, one after the other.
class PresetLooks : public QObject {
  Q_OBJECT
 public:
  enum class Kind { Hardware, Kernel };
  explicit PresetLooks(Kind kind, QObject* parent = nullptr);
  ~PresetLooks() override;

  const std::vector<texts::Preset>& presets() const { return m_presets; }
  /// Begins; `size` of the pictures in pixels of a screen with this ratio.
  void start(QSizeF size, double ratio);
  /// Null before it is known, and of a preset with mistakes.
  const PresetLook* look(std::size_t preset) const { return m_looks[preset].get(); }

 Q_SIGNALS:
  void found(std::size_t preset);

 private:
  void next();

  Kind m_kind;
  Job m_job;
  QSizeF m_size;
  double m_ratio = 1;
  std::size_t m_next = 0;
  std::vector<texts::Preset> m_presets;
  std::vector<std::shared_ptr<const PresetLook>> m_looks;
};

}  // namespace gridloom::widgets
