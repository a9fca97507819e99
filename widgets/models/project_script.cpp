// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/project_script.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <map>

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

QString baseOf(const QString& name, const char* otherwise) {
  const QString base = QFileInfo(name).completeBaseName();
  return base.isEmpty() ? QString::fromLatin1(otherwise) : base;
}

QString hardwareFile(const Project& project) {
  return baseOf(project.hardwareName, "machine") + QLatin1String(".hw");
}

QString kernelFile(const Project& project) {
  const bool isMlir = service::looksLikeMlir(project.kernelText.toStdString());
  return baseOf(project.kernelName, "kernel") + QLatin1String(isMlir ? ".mlir" : ".rec");
}

/// A name as a folder, with no sign that the shell would read in double quotes.
QString folderName(QString name) {
  static const QRegularExpression odd(QStringLiteral("[^\\w.-]"),
                                      QRegularExpression::UseUnicodePropertiesOption);
  return name.replace(odd, QStringLiteral("_"));
}

/// How a script begins: it makes a folder of its own for its files and goes there, or ends where
/// that name is taken.
QString beginning(const Project& project, const char* what) {
  return QStringLiteral(
             "#!/bin/sh\n"
             "# Written by Gridloom Studio: %1, as commands.\n"
             "# usage: sh SCRIPT [FOLDER]; the folder is made for the files. GRIDLOOM and\n"
             "# GRIDLOOM_RENDER name the commands.\n"
             "set -eu\n"
             "gridloom=\"${GRIDLOOM:-gridloom}\"\n"
             "render=\"${GRIDLOOM_RENDER:-gridloom-render}\"\n"
             "case \"$gridloom\" in */*) gridloom=\"$(realpath -- \"$gridloom\")\" ;; esac\n"
             "case \"$render\" in */*) render=\"$(realpath -- \"$render\")\" ;; esac\n"
             "folder=\"${1:-%2}\"\n"
             "if ! mkdir -- \"$folder\"; then\n"
             "  echo \"help: name a folder that does not exist, in a folder that you may write\" "
             "\\\n"
             "    \"to: sh $0 FOLDER\" >&2\n"
             "  exit 2\n"
             "fi\n"
             "CDPATH= cd -- \"$folder\"\n")
      .arg(QLatin1String(what),
           folderName(baseOf(project.kernelName, "kernel") + QLatin1String("_on_") +
                      baseOf(project.hardwareName, "machine")));
}

/// Writes commands, and before them the texts that they read where these have changed.
class ScriptWriter {
 public:
  ScriptWriter(const Project& project, const char* what) : m_script(beginning(project, what)) {}

  void comment(QString words) {
    static const QRegularExpression control(QStringLiteral("[\\x00-\\x1f\\x7f]"));
    m_script +=
        QStringLiteral("\n# ") + words.replace(control, QStringLiteral(" ")) + QLatin1Char('\n');
  }
  void write(const QString& file, const QString& text) {
    if (m_written.contains(file) && m_written[file] == text) return;
    m_written[file] = text;
    const QString end = endOf(text);
    const QString last = text.endsWith(QLatin1Char('\n')) ? QString() : QStringLiteral("\n");
    m_script += QStringLiteral("cat > %1 <<'%2'\n").arg(shellWord(file), end) + text + last + end +
                QLatin1Char('\n');
  }
  void texts(const Project& project) {
    write(hardwareFile(project), project.hardwareText);
    write(kernelFile(project), project.kernelText);
    if (!project.directives.trimmed().isEmpty()) write(kDirectives, project.directives);
  }
  /// A verb of the command on the problem of these inputs.
  void verb(const char* name, const ScriptInputs& inputs, const QString& options) {
    m_script += QStringLiteral("\"$gridloom\" ") + QLatin1String(name) + QStringLiteral(" -H ") +
                shellWord(hardwareFile(inputs.project)) + QStringLiteral(" -K ") +
                shellWord(kernelFile(inputs.project)) + problem(inputs, "-d") + options +
                QLatin1Char('\n');
  }
  /// The same on one mapping of them.
  void ofMapping(const char* name, const ScriptInputs& inputs, const QString& file) {
    write(kMapping, inputs.mapping);
    ScriptInputs alone = inputs;
    alone.project.directives.clear();
    verb(name, alone, QStringLiteral(" -m mapping.sched --json %1").arg(file));
  }
  void explore(const ScriptInputs& inputs, const QString& file, const char* otherwise = "") {
    sayPartial(inputs);
    verb("explore", inputs,
         ranked(inputs) + QStringLiteral(" --no-timing --json ") + file + QLatin1String(otherwise));
  }
  void table(const ScriptInputs& inputs, const QString& file) {
    sayPartial(inputs);
    verb("export", inputs, ranked(inputs) + QStringLiteral(" --format csv -o ") + file);
  }
  /// `options`: what is written.
  void sweep(const Action& action, const QString& options) {
    QString words;
    for (const QString& axis : action.vary) words += QStringLiteral(" --vary ") + shellWord(axis);
    if (!action.inputs.project.simulate) words += QStringLiteral(" --rerank 0");
    // The script goes on where nothing fits, as the person did.
    verb("sweep", action.inputs, words + options + QLatin1String(" || [ $? -eq 1 ]"));
  }
  void figureOfSweep(const Action& figure, const QString& sweep, const QString& file) {
    m_script += QStringLiteral("\"$render\" --sweep %1 --width %2%3 --out %4\n")
                    .arg(sweep)
                    .arg(figure.width)
                    .arg(QLatin1String(figure.dark ? " --theme dark" : ""), file);
  }
  void compare(const QString& a, const QString& b) {
    m_script += QStringLiteral("\"$gridloom\" compare %1 %2\n").arg(a, b);
  }
  void figure(const Action& figure, const QString& file) {
    const ScriptInputs& inputs = figure.inputs;
    sayPartial(inputs);
    draw(inputs, figure,
         QStringLiteral(" --rank %1 --top %2%3 --out ")
                 .arg(std::max(inputs.rank, 1))
                 .arg(inputs.project.top)
                 .arg(QLatin1String(inputs.project.simulate ? "" : " --no-simulate")) +
             file);
  }
  /// A figure of the simulation of one mapping, where the ranking is without simulation: with it,
  /// the command would find other ranks.
  void figureOfRun(const Action& figure, const QString& file) {
    write(kMapping, figure.inputs.mapping);
    ScriptInputs alone = figure.inputs;
    alone.project.directives.clear();
    draw(alone, figure, QStringLiteral(" --directives mapping.sched --out ") + file);
  }
  QByteArray text() const { return m_script.toUtf8(); }

 private:
  static constexpr auto kDirectives = "directives.sched";
  static constexpr auto kMapping = "mapping.sched";

  void sayPartial(const ScriptInputs& inputs) {
    if (inputs.arePartial)
      comment(QStringLiteral("The search was stopped; the command searches to its end."));
  }
  void draw(const ScriptInputs& inputs, const Action& figure, const QString& options) {
    m_script += QStringLiteral("\"$render\" --hardware ") +
                shellWord(hardwareFile(inputs.project)) + QStringLiteral(" --kernel ") +
                shellWord(kernelFile(inputs.project)) + problem(inputs, "--directives") +
                QStringLiteral(" --chart %1 --width %2").arg(figure.chart).arg(figure.width) +
                QLatin1String(figure.dark ? " --theme dark" : "") + options + QLatin1Char('\n');
  }
  static QString problem(const ScriptInputs& inputs, const char* directives) {
    QString words;
    for (const auto& [name, value] : inputs.settings)
      words += QStringLiteral(" --set %1=%2").arg(QString::fromStdString(name)).arg(value);
    if (!inputs.project.mode.isEmpty())
      words += QStringLiteral(" --mode ") + shellWord(inputs.project.mode);
    if (!inputs.project.directives.trimmed().isEmpty())
      words += QStringLiteral(" %1 %2").arg(QLatin1String(directives), QLatin1String(kDirectives));
    return words;
  }
  static QString ranked(const ScriptInputs& inputs) {
    return QStringLiteral(" --top %1").arg(inputs.project.top) +
           QLatin1String(inputs.project.simulate ? "" : " --rerank 0");
  }

  QString m_script;
  std::map<QString, QString> m_written;
};

/// What is shown at the end: the ranking, and why the mapping takes its cycles.
void finish(ScriptWriter& script, const ScriptInputs& shown) {
  script.texts(shown.project);
  if (shown.areWrong)
    return script.comment(QStringLiteral("these inputs have errors: there is no result of them"));
  script.explore(shown, QStringLiteral("result.json"));
  if (!shown.mapping.isEmpty()) script.ofMapping("explain", shown, QStringLiteral("explain.json"));
}

/// Repeats actions; files are named by their place in the record.
class Repeater {
 public:
  Repeater(const ActionRecord& record, const ScriptInputs& shown)
      : m_script(record.actions().empty() ? shown.project : record.actions().front().inputs.project,
                 "what was done") {
    if (record.forgotten() > 0) {
      m_script.comment(QStringLiteral("The first %1 actions are left out: there are too many.")
                           .arg(record.forgotten()));
    }
    m_place = record.forgotten();
    for (const Action& each : record.actions()) repeat(each);
    m_script.comment(QStringLiteral("What was shown at the end"));
    finish(m_script, shown);
  }
  QByteArray text() const { return m_script.text(); }

 private:
  QString numbered(const QString& name) const {
    return QStringLiteral("%1-%2").arg(m_place, 3, 10, QLatin1Char('0')).arg(folderName(name));
  }

  void repeat(const Action& action) {
    ++m_place;
    m_script.comment(QStringLiteral("%1. %2").arg(m_place).arg(action.title));
    const ScriptInputs& inputs = action.inputs;
    if (action.kind != Action::Kind::Release) m_script.texts(inputs.project);
    switch (action.kind) {
    case Action::Kind::Edit:
      return;
    case Action::Kind::Explore:
      // The script goes on where nothing fits, as the person did.
      return m_script.explore(inputs, numbered(QStringLiteral("ranking.json")), " || [ $? -eq 1 ]");
    case Action::Kind::Select:
      return show(inputs);
    case Action::Kind::Freeze:
      m_frozen.clear();
      show(inputs);
      if (!inputs.mapping.isEmpty()) m_frozen = numbered(QStringLiteral("mapping.json"));
      return;
    case Action::Kind::Release:
      m_frozen.clear();
      return;
    case Action::Kind::Result:
      return m_script.explore(inputs, numbered(action.file));
    case Action::Kind::Table:
      return m_script.table(inputs, numbered(action.file));
    case Action::Kind::Figure:
      return draw(action);
    case Action::Kind::Sweep:
      m_sweep = numbered(QStringLiteral("sweep.json"));
      return m_script.sweep(action, QStringLiteral(" --json ") + m_sweep);
    case Action::Kind::SweepTable:
      return m_script.sweep(action, QStringLiteral(" --csv ") + numbered(action.file));
    case Action::Kind::SweepFigure:
      if (m_sweep.isEmpty())
        return m_script.comment(QStringLiteral("of earlier inputs: not repeated"));
      return m_script.figureOfSweep(action, m_sweep, numbered(action.file));
    }
  }

  void draw(const Action& action) {
    const QString& chart = action.chart;
    if (chart.isEmpty())
      return m_script.comment(
          QStringLiteral("a machine without a mapping: the command draws none"));
    // The other charts show predictions, too.
    const bool ofRun = chart != QLatin1String("mesh") && chart != QLatin1String("scatter") &&
                       chart != QLatin1String("breakdown");
    if (ofRun && !action.inputs.project.simulate)
      return m_script.figureOfRun(action, numbered(action.file));
    m_script.figure(action, numbered(action.file));
  }

  /// Simulates the mapping, and sets it beside A while there is one.
  void show(const ScriptInputs& inputs) {
    if (inputs.mapping.isEmpty())
      return m_script.comment(QStringLiteral("of earlier inputs: not repeated"));
    const QString file = numbered(QStringLiteral("mapping.json"));
    m_script.ofMapping("simulate", inputs, file);
    if (!m_frozen.isEmpty()) m_script.compare(m_frozen, file);
  }

  ScriptWriter m_script;
  std::int64_t m_place = 0;
  QString m_frozen;  ///< the result of A
  QString m_sweep;   ///< the file of the last sweep
};

}  // namespace

QByteArray scriptOf(const ScriptInputs& shown) {
  ScriptWriter script(shown.project, "what it showed");
  finish(script, shown);
  return script.text();
}

QByteArray scriptOf(const ActionRecord& record, const ScriptInputs& shown) {
  return Repeater(record, shown).text();
}

}  // namespace gridloom::widgets
