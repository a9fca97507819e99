// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/example_looks.h"

#include "bridge/mesh_picture.h"
#include "canvas/mesh_scene.h"
#include "models/examples.h"
#include "models/quantity_text.h"
#include "service/fit.h"
#include "service/workspace.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

using Answer = Job::Answer<ExampleLook>;

void paintBoth(ExampleLook& look, const MeshScene& scene, QSizeF size, double ratio) {
  look.light = meshPicture(scene, lightTokens(), size, ratio);
  look.dark = meshPicture(scene, darkTokens(), size, ratio);
}

/// In TFLOP/s, in the numeric mode that the kernel's elements choose.
double peakOf(const hardware::Topology& machine, const kernel::Kernel& kernel) {
  const auto compute = machine.compute("", kernel::bitsOf(kernel.tensors.front().dtype));
  if (!compute) return 0;
  return compute->peakFlops() * static_cast<double>(machine.enabledCores()) * machine.clock() /
         1e12;
}

/// What is known already, in another size.
Answer redrawn(const ExampleLook& known, QSizeF size, double ratio) {
  auto look = std::make_shared<ExampleLook>(known);
  paintBoth(*look, *look->scene, size, ratio);
  return {std::move(look)};
}

Answer lookOf(const Example& example, QSizeF size, double ratio, base::Progress& progress) {
  auto project = projectOf(example);
  if (!project) return project.takeDiagnostics();
  auto hardware = service::openHardware(base::makeSource(example.hardware.toStdString() + ".hw",
                                                         project->hardwareText.toStdString()));
  if (!hardware) return hardware.takeDiagnostics();
  const hardware::Topology& machine = (*hardware)->topology;
  auto look = std::make_shared<ExampleLook>();
  look->machine = QStringLiteral("%1, %2 cores")
                      .arg(example.hardware, countText(static_cast<double>(machine.coreCount())));
  auto kernel = service::openKernel(
      base::makeSource(example.kernel.toStdString() + ".rec", project->kernelText.toStdString()),
      {});
  if (!kernel) return kernel.takeDiagnostics();
  if (!example.isQuick) {
    paintBoth(*look, sceneOf(machine), size, ratio);
    look->rate = rateText(peakOf(machine, (*kernel)->kernel)) + QStringLiteral(" TFLOP/s");
    look->share = QStringLiteral("peak of the machine");
    return {std::move(look)};
  }
  service::ExploreOptions options;
  options.top = 1;
  options.rerank = ranking::kQuickReranking;
  const auto fit = service::fit(*kernel, **hardware, {}, progress);
  if (!fit) return fit.diagnostics();
  const auto found = service::explore(*hardware, fit->kernel, {}, options, progress);
  if (!found) return found.diagnostics();
  if ((*found)->top.empty()) return base::plainError("no mapping of an example fits");
  const ranking::Ranked& best = (*found)->top.front();
  const auto* run = best.simulated ? &*best.simulated : nullptr;
  look->scene = std::make_shared<const MeshScene>(sceneOf(
      **hardware, *(*found)->kernel, best.candidate.mapping, run, run ? Heat::States : Heat::None));
  paintBoth(*look, *look->scene, size, ratio);
  const cost::Estimate& estimate = best.candidate.estimate;
  look->rate = rateText(run ? run->tflops : estimate.tflops) + QStringLiteral(" TFLOP/s");
  look->share =
      percentText(run ? run->utilization : estimate.utilization) + QStringLiteral(" of peak");
  return {std::move(look)};
}

}  // namespace

ExampleLooks::ExampleLooks(QObject* parent) : QObject(parent), m_looks(examples().size()) {}

ExampleLooks::~ExampleLooks() {
  m_job.disconnect(this);
  m_job.drop();
}

void ExampleLooks::start(QSizeF size, double ratio) {
  if (size != m_size || ratio != m_ratio) {
    stop();
    m_next = 0;
  }
  if (m_started) return;
  m_started = true;
  m_size = size;
  m_ratio = ratio;
  next();
}

void ExampleLooks::stop() {
  m_job.drop();
  m_started = false;
}

const ExampleLook* ExampleLooks::look(std::size_t example) const {
  return example < m_looks.size() ? m_looks[example].get() : nullptr;
}

void ExampleLooks::next() {
  if (m_next >= m_looks.size()) return;
  m_job.start<ExampleLook>(
      [example = examples()[m_next], known = m_looks[m_next], size = m_size,
       ratio = m_ratio](base::Progress& progress) {
        return known && known->scene ? redrawn(*known, size, ratio)
                                     : lookOf(example, size, ratio, progress);
      },
      [this](Answer answer) {
        const std::size_t example = m_next++;
        if (answer) m_looks[example] = *answer;
        Q_EMIT found(example);
        next();
      });
}

}  // namespace gridloom::widgets
