// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/hardware_trial.h"

#include "models/hardware_text.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

constexpr int kRest = 40;  // milliseconds of rest before a run

}  // namespace

HardwareTrial::HardwareTrial(QObject* parent) : QObject(parent) {
  m_pause.setSingleShot(true);
  m_pause.setInterval(kRest);
  connect(&m_pause, &QTimer::timeout, this, &HardwareTrial::run);
}

HardwareTrial::~HardwareTrial() {
  m_job.disconnect(this);
  m_job.drop();
}

void HardwareTrial::start(const QString& hardwareText, service::SimulationRunRef run) {
  m_text = hardwareText;
  m_run = std::move(run);
  m_pause.start();
}

void HardwareTrial::drop() {
  m_pause.stop();
  m_job.drop();
  m_after.reset();
  m_failure.clear();
  Q_EMIT changed();
}

void HardwareTrial::run() {
  if (!m_run) return;
  m_job.start<double>(
      [words = m_text, run = m_run](base::Progress& progress) -> Job::Answer<double> {
        auto hardware = service::openHardware(hardwareSource(words));
        if (!hardware) return hardware.takeDiagnostics();
        service::SimulateOptions options;
        options.mode = run->mode;
        const auto simulated =
            service::simulateMapping(*hardware, run->kernel, run->mapping, options, progress);
        if (!simulated) return simulated.diagnostics();
        return {std::make_shared<const double>((*simulated)->simulated.cycles)};
      },
      [this](Job::Answer<double> answer) {
        m_after = answer ? std::optional(**answer) : std::nullopt;
        m_failure = answer ? QString() : text(answer.diagnostics().front().message);
        Q_EMIT changed();
      });
}

}  // namespace gridloom::widgets
