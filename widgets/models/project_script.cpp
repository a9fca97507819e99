// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/project_script.h"

#include <QFileInfo>
#include <QStringList>

#include "service/workspace.h"

namespace gridloom::widgets {

namespace {

/// A word as the shell reads it.
QString shellWord(QString word) {
  return QLatin1Char('\'') + word.replace(QLatin1Char('\''), QLatin1String("'\\''")) +
         QLatin1Char('\'');
}

/// The end of a text that no line of the text is.
QString endOf(const QString& text) {
  const QStringList lines = text.split(QLatin1Char('\n'));
  QString end = QStringLiteral("END");
  while (lines.contains(end)) end += QLatin1Char('_');
  return end;
}

QString writing(const QString& file, const QString& text) {
  const QString end = endOf(text);
  const QString last = text.endsWith(QLatin1Char('\n')) ? QString() : QStringLiteral("\n");
  return QStringLiteral("cat > %1 <<'%2'\n").arg(shellWord(file), end) + text + last + end +
         QLatin1Char('\n');
}

QString fileOf(const QString& name, const char* otherwise, const char* ending) {
  const QString base = QFileInfo(name).completeBaseName();
  return (base.isEmpty() ? QString::fromLatin1(otherwise) : base) + QLatin1String(ending);
}

}  // namespace

QByteArray scriptOf(const Project& project, const ScriptInputs& inputs) {
  const bool isMlir = service::looksLikeMlir(project.kernelText.toStdString());
  const QString hardware = fileOf(project.hardwareName, "machine", ".hw");
  const QString kernel = fileOf(project.kernelName, "kernel", isMlir ? ".mlir" : ".rec");
  QString problem = QStringLiteral(" -H %1 -K %2").arg(shellWord(hardware), shellWord(kernel));
  for (const auto& [name, value] : inputs.settings)
    problem += QStringLiteral(" --set %1=%2").arg(QString::fromStdString(name)).arg(value);
  if (!project.mode.isEmpty()) problem += QStringLiteral(" --mode ") + shellWord(project.mode);

  QString script = QStringLiteral(
      "#!/bin/sh\n# Written by Gridloom Studio: what it showed, as commands. The files go to this "
      "folder;\n# GRIDLOOM names the command.\nset -eu\ngridloom=\"${GRIDLOOM:-gridloom}\"\n");
  script += writing(hardware, project.hardwareText) + writing(kernel, project.kernelText);
  QString explore = QStringLiteral("\"$gridloom\" explore") + problem;
  if (!project.directives.trimmed().isEmpty()) {
    script += writing(QStringLiteral("directives.sched"), project.directives);
    explore += QStringLiteral(" -d directives.sched");
  }
  explore += QStringLiteral(" --top %1").arg(project.top);
  if (!project.simulate) explore += QStringLiteral(" --rerank 0");
  script += explore + QStringLiteral(" --no-timing --json result.json\n");
  if (inputs.mapping.isEmpty()) return script.toUtf8();
  script += writing(QStringLiteral("mapping.sched"), inputs.mapping);
  script += QStringLiteral("\"$gridloom\" explain") + problem +
            QStringLiteral(" -m mapping.sched --json explain.json\n");
  return script.toUtf8();
}

}  // namespace gridloom::widgets
