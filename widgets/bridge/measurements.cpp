// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/measurements.h"

#include "study/study.h"

namespace gridloom::widgets {

Measurements::Measurements(QObject* parent) : QObject(parent), m_rows(std::make_shared<Rows>()) {
  connect(&m_job, &Job::runningChanged, this, &Measurements::runningChanged);
}

Measurements::~Measurements() {
  m_job.disconnect(this);
  m_job.drop();
}

void Measurements::open(const QString& path) {
  m_rows = std::make_shared<Rows>();
  m_job.start<Outcome>(
      [file = path.toStdString(), rows = m_rows](base::Progress& progress) -> Job::Answer<Outcome> {
        study::StudyOptions options;
        options.onRow = [&](std::size_t row, std::size_t count) {
          rows->at = row;
          rows->count = count;
        };
        Outcome outcome;
        const auto take = [&](report::Reproduction table) {
          outcome.tables.push_back(std::move(table));
        };
        outcome.problems = study::runStudy(file, options, take, progress);
        outcome.stopped = progress.cancelled();
        return std::make_shared<const Outcome>(std::move(outcome));
      },
      [this, path](const Job::Answer<Outcome>& answer) {
        adopt(path, answer ? **answer : Outcome{{}, answer.diagnostics()});
      });
}

void Measurements::adopt(const QString& path, const Outcome& outcome) {
  if (outcome.stopped && outcome.tables.empty()) return;
  m_path = path;
  m_problems = outcome.problems;
  m_tables = outcome.tables;
  if (base::hasError(m_problems)) m_tables.clear();
  Q_EMIT changed();
}

void Measurements::stop() { m_job.cancel(); }

QString Measurements::activity() const {
  if (!running()) return {};
  if (m_rows->count == 0) return QStringLiteral("Checking the measurements");
  return QStringLiteral("Row %1 of %2").arg(m_rows->at + 1).arg(m_rows->count.load());
}

double Measurements::shareDone() const {
  const std::size_t count = m_rows->count;
  return count == 0 ? -1 : static_cast<double>(m_rows->at) / static_cast<double>(count);
}

}  // namespace gridloom::widgets
