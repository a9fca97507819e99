// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preset_looks.h"

#include <QRegularExpression>

#include "bridge/mesh_picture.h"
#include "canvas/mesh_scene.h"
#include "models/quantity_text.h"
#include "service/result_records.h"
#include "texts/presets.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

using LookAnswer = Job::Answer<PresetLook>;

constexpr double kBits = 16;  ///< of the operands that choose the numeric mode of a peak

QString sizeText(const report::HardwareRecord& machine) {
  QStringList sizes;
  for (const report::NamedSize& dim : machine.dims)
    sizes << countText(static_cast<double>(dim.size));
  const QString cores = machine.cores == 1
                            ? QStringLiteral("1 core")
                            : QStringLiteral("%1 cores").arg(sizes.join(QStringLiteral(" × ")));
  if (machine.clock <= 0) return cores;
  return QStringLiteral("%1 at %2 GHz").arg(cores, QString::number(machine.clock / 1e9, 'g', 3));
}

QStringList factsOf(const service::Hardware& hardware) {
  const report::HardwareRecord machine = service::hardwareRecord(hardware, "", kBits);
  const QString peak =
      machine.clock > 0
          ? QStringLiteral("%1 TFLOP/s").arg(rateText(machine.peakFlops * machine.clock / 1e12))
          : QStringLiteral("%1 flop/cycle").arg(countText(machine.peakFlops));
  return {sizeText(machine),
          QStringLiteral("%1 at peak, %2 per core")
              .arg(peak, bytesText(static_cast<double>(machine.localBytes))),
          machine.channels == 0 ? QStringLiteral("no global memory")
                                : QStringLiteral("%1 memory channel%2, %3 B/cycle")
                                      .arg(machine.channels)
                                      .arg(machine.channels == 1 ? QString() : QStringLiteral("s"),
                                           countText(machine.readBandwidth))};
}

LookAnswer machineLook(const texts::Preset& preset, QSizeF size, double ratio,
                       const base::Progress& progress) {
  auto source = texts::loadHardwareText(preset.name);
  if (!source) return source.takeDiagnostics();
  auto hardware = service::openHardware(*std::move(source));
  if (!hardware) return hardware.takeDiagnostics();
  // The pictures of a wafer take longer than closing a window may.
  if (progress.cancelled()) return base::plainError("cancelled");
  auto look = std::make_shared<PresetLook>();
  const MeshScene scene = sceneOf((*hardware)->topology);
  if (progress.cancelled()) return base::plainError("cancelled");
  look->light = meshPicture(scene, lightTokens(), size, ratio);
  look->dark = meshPicture(scene, darkTokens(), size, ratio);
  look->lines = factsOf(**hardware);
  return {std::move(look)};
}

/// The statements of a kernel as they are written, each on one line.
void addEquations(const service::Kernel& kernel, QStringList& lines) {
  const QByteArray all = QByteArray::fromStdString(std::string(kernel.source->text()));
  for (const kernel::Statement& each : kernel.kernel.asWritten().statements) {
    if (each.implied) continue;
    const qsizetype begin = all.lastIndexOf('\n', static_cast<qsizetype>(each.span.begin)) + 1;
    const auto last = static_cast<qsizetype>(each.span.end);
    const qsizetype end = all.indexOf('\n', last);
    const QString line = QString::fromUtf8(all.mid(begin, (end < 0 ? all.size() : end) - begin));
    lines << line.section(QStringLiteral("//"), 0, 0).simplified();
  }
}

/// Of all kernels of the file.
LookAnswer kernelLook(const texts::Preset& preset) {
  static const QRegularExpression heads(QStringLiteral("^kernel (\\w+)"),
                                        QRegularExpression::MultilineOption);
  const auto source = texts::loadKernelText(preset.name);
  if (!source) return source.diagnostics();
  auto look = std::make_shared<PresetLook>();
  for (auto each = heads.globalMatch(text((*source)->text())); each.hasNext();) {
    service::KernelOptions options;
    options.name = each.next().captured(1).toStdString();
    const auto kernel = service::openKernel(*source, options);
    if (!kernel) return kernel.diagnostics();
    addEquations(**kernel, look->lines);
  }
  return {std::move(look)};
}

}  // namespace

PresetLooks::PresetLooks(Kind kind, QObject* parent)
    : QObject(parent),
      m_kind(kind),
      m_presets(kind == Kind::Hardware ? texts::listHardware() : texts::listKernels()),
      m_looks(m_presets.size()) {}

PresetLooks::~PresetLooks() {
  m_job.disconnect(this);
  m_job.drop();
}

void PresetLooks::start(QSizeF size, double ratio) {
  m_size = size;
  m_ratio = ratio;
  next();
}

void PresetLooks::next() {
  if (m_next >= m_presets.size()) return;
  m_job.start<PresetLook>(
      [preset = m_presets[m_next], kind = m_kind, size = m_size,
       ratio = m_ratio](base::Progress& progress) -> LookAnswer {
        return kind == Kind::Hardware ? machineLook(preset, size, ratio, progress)
                                      : kernelLook(preset);
      },
      [this](LookAnswer answer) {
        const std::size_t preset = m_next++;
        if (answer) m_looks[preset] = *answer;
        Q_EMIT found(preset);
        next();
      });
}

}  // namespace gridloom::widgets
