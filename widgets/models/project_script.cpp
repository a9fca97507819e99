// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/project_script.h"

#include <QFileInfo>
#include <QRegularExpression>
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

QString baseOf(const QString& name, const char* otherwise) {
  const QString base = QFileInfo(name).completeBaseName();
  return base.isEmpty() ? QString::fromLatin1(otherwise) : base;
}

/// A name as a folder, with no sign that the shell would read in double quotes.
QString folderName(QString name) {
  static const QRegularExpression odd(QStringLiteral("[^\\w.-]"),
                                      QRegularExpression::UseUnicodePropertiesOption);
  return name.replace(odd, QStringLiteral("_"));
}

/// How a script begins: it makes a folder of its own for its files and goes there, or ends where
/// that name is taken.
QString beginning(const QString& folder) {
  return QStringLiteral(
             "#!/bin/sh\n"
             "# Written by Gridloom Studio: what it showed, as commands.\n"
             "# usage: sh SCRIPT [FOLDER]; the folder is made for the files. GRIDLOOM names the "
             "command.\n"
             "set -eu\n"
             "gridloom=\"${GRIDLOOM:-gridloom}\"\n"
             "case \"$gridloom\" in */*) gridloom=\"$(realpath -- \"$gridloom\")\" ;; esac\n"
             "folder=\"${1:-%1}\"\n"
             "if ! mkdir -- \"$folder\"; then\n"
             "  echo \"help: name a folder that does not exist: sh $0 FOLDER\" >&2\n"
             "  exit 2\n"
             "fi\n"
             "CDPATH= cd -- \"$folder\"\n")
      .arg(folder);
}

}  // namespace

QByteArray scriptOf(const Project& project, const ScriptInputs& inputs) {
  const bool isMlir = service::looksLikeMlir(project.kernelText.toStdString());
  const QString machineName = baseOf(project.hardwareName, "machine");
  const QString kernelName = baseOf(project.kernelName, "kernel");
  const QString hardware = machineName + QLatin1String(".hw");
  const QString kernel = kernelName + QLatin1String(isMlir ? ".mlir" : ".rec");
  QString problem = QStringLiteral(" -H %1 -K %2").arg(shellWord(hardware), shellWord(kernel));
  for (const auto& [name, value] : inputs.settings)
    problem += QStringLiteral(" --set %1=%2").arg(QString::fromStdString(name)).arg(value);
  if (!project.mode.isEmpty()) problem += QStringLiteral(" --mode ") + shellWord(project.mode);

  QString script = beginning(folderName(kernelName + QLatin1String("_on_") + machineName));
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
