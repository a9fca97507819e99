// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/examples.h"

#include <QStringList>
#include <algorithm>
#include <cctype>

#include "models/quantity_text.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::widgets {

namespace {

constexpr qsizetype kMostSizes = 8;  // on one line

bool isLetter(unsigned char each) { return std::isalpha(each) != 0; }

}  // namespace

const std::vector<Example>& examples() {
  static const std::vector<Example> all{{QStringLiteral("GEMM"),
                                         QStringLiteral("C[i, j] = sum(k) A[i, k] * B[k, j]"),
                                         QStringLiteral("wormhole_8x8"),
                                         QStringLiteral("gemm"),
                                         {},
                                         true},
                                        {QStringLiteral("Flash attention"),
                                         QStringLiteral("softmax along the keys, as state"),
                                         QStringLiteral("wormhole_8x8"),
                                         QStringLiteral("flash_attention"),
                                         {},
                                         true},
                                        {QStringLiteral("Convolution"),
                                         QStringLiteral("a 3 × 3 layer of ResNet-50"),
                                         QStringLiteral("wormhole_8x8"),
                                         QStringLiteral("conv2d"),
                                         {},
                                         true},
                                        {QStringLiteral("GEMM on a wafer"),
                                         QStringLiteral("one systolic array, by directives"),
                                         QStringLiteral("cerebras_like"), QStringLiteral("gemm"),
                                         QStringLiteral("wafer_gemm"), false}};
  return all;
}

base::Result<Project> projectOf(const Example& example) {
  Project project;
  auto hardware = texts::loadHardwareText(example.hardware.toStdString());
  if (!hardware) return hardware.takeDiagnostics();
  auto kernel = texts::loadKernelText(example.kernel.toStdString());
  if (!kernel) return kernel.takeDiagnostics();
  project.hardwareName = example.hardware;
  project.hardwareText = text((*hardware)->text());
  project.kernelName = example.kernel;
  project.kernelText = text((*kernel)->text());
  if (example.directives.isEmpty()) return project;
  auto directives = texts::loadDirectivesText(example.directives.toStdString());
  if (!directives) return directives.takeDiagnostics();
  project.directives = text((*directives)->text());
  return project;
}

QString subjectOf(const Project& project) {
  const auto named = [](const QString& name, const char* other) {
    return name.isEmpty() ? QString::fromLatin1(other) : name;
  };
  return QStringLiteral("%1 on %2")
      .arg(named(project.kernelName, "a kernel"), named(project.hardwareName, "a machine"));
}

QString sizesOf(const Project& project) {
  const std::string written = project.kernelText.toStdString();
  // To read MLIR takes too long for a page of many projects.
  if (service::looksLikeMlir(written)) return QStringLiteral("MLIR");
  const auto source = base::makeSource("kernel", written);
  const auto kernel = service::openKernel(source, {});
  if (!kernel) return QStringLiteral("its kernel has mistakes");
  QStringList sizes;
  bool more = false;
  for (const kernel::Parameter& each : (*kernel)->kernel.parameters) {
    const QString name = text(each.name);
    const auto set = project.parameters.find(name);
    // One that follows from the others, such as P = H - R + 1, says nothing new.
    if (set == project.parameters.end() && std::ranges::any_of(each.spelling, isLetter)) continue;
    const qint64 value = set == project.parameters.end() ? each.value : set->second;
    more = more || sizes.size() == kMostSizes;
    if (!more) sizes << QStringLiteral("%1 %2").arg(name).arg(value);
  }
  return sizes.join(QStringLiteral(", ")) + (more ? QStringLiteral(" …") : QString());
}

}  // namespace gridloom::widgets
