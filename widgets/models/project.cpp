// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/project.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#include "models/examples.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

constexpr qint64 kLargestProject = 64 << 20;  // bytes
const QString kSchema = QStringLiteral("gridloom.project/1");

/// Reads members of a known kind and reports the others.
class Reader {
 public:
  Reader(base::SourceRef source, QJsonObject object)
      : m_source(std::move(source)), m_object(std::move(object)) {}

  void string(const QString& key, QString& out) {
    const QJsonValue value = m_object.value(key);
    if (value.isString())
      out = value.toString();
    else if (!value.isUndefined())
      report(key, QStringLiteral("a string"));
  }
  void flag(const QString& key, bool& out) {
    const QJsonValue value = m_object.value(key);
    if (value.isBool())
      out = value.toBool();
    else if (!value.isUndefined())
      report(key, QStringLiteral("true or false"));
  }
  void integer(const QString& key, int least, int most, int& out) {
    const QJsonValue value = m_object.value(key);
    if (value.isUndefined()) return;
    const double number = value.toDouble(std::nan(""));
    if (!(number >= least && number <= most) || number != std::floor(number)) {
      report(key, QStringLiteral("a whole number from %1 to %2").arg(least).arg(most));
    } else {
      out = static_cast<int>(number);
    }
  }
  void report(const QString& key, const QString& expected) {
    const QString message = QStringLiteral("`%1` in a project is %2").arg(key, expected);
    m_errors.push_back(base::errorAt(m_source, spanOf(key), message.toStdString(),
                                     "fix the value or remove the line to get its default"));
  }
  base::Diagnostics takeErrors() { return std::move(m_errors); }

 private:
  base::Span spanOf(const QString& key) const {
    const std::string quoted = '"' + key.toStdString() + '"';
    const auto at = m_source->text().find(quoted);
    if (at == std::string_view::npos) return {};
    return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + quoted.size())};
  }
  base::SourceRef m_source;
  QJsonObject m_object;
  base::Diagnostics m_errors;
};

void readParameters(const QJsonValue& value, Reader& reader, Project& project) {
  if (value.isUndefined()) return;
  if (!value.isObject()) {
    reader.report(QStringLiteral("parameters"), QStringLiteral("an object of whole numbers"));
    return;
  }
  const QJsonObject object = value.toObject();
  for (auto it = object.begin(); it != object.end(); ++it) {
    const double number = it.value().toDouble(std::nan(""));
    if (!(std::abs(number) <= 9e15) || number != std::floor(number)) {
      reader.report(it.key(), QStringLiteral("a whole number"));
    } else {
      project.parameters.emplace(it.key(), static_cast<qint64>(number));
    }
  }
}

}  // namespace

QByteArray projectJson(const Project& project) {
  QJsonObject parameters;
  for (const auto& [name, value] : project.parameters) parameters.insert(name, value);
  const QJsonObject object{{QStringLiteral("schema"), kSchema},
                           {QStringLiteral("hardware_name"), project.hardwareName},
                           {QStringLiteral("hardware"), project.hardwareText},
                           {QStringLiteral("kernel_name"), project.kernelName},
                           {QStringLiteral("kernel"), project.kernelText},
                           {QStringLiteral("parameters"), parameters},
                           {QStringLiteral("directives"), project.directives},
                           {QStringLiteral("mode"), project.mode},
                           {QStringLiteral("top"), project.top},
                           {QStringLiteral("simulate"), project.simulate}};
  return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

base::Result<Project> projectFromJson(const QString& name, const QByteArray& json) {
  const base::SourceRef source = base::makeSource(name.toStdString(), json.toStdString());
  QJsonParseError problem;
  const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
  if (problem.error != QJsonParseError::NoError || !document.isObject()) {
    const auto at =
        static_cast<std::uint32_t>(std::clamp<qsizetype>(problem.offset, 0, json.size()));
    const QString what =
        document.isNull() ? problem.errorString() : QStringLiteral("not an object");
    return base::errorAt(source, {at, at}, "not a project file: " + what.toStdString(),
                         "a project is the JSON object that \"Save project\" writes");
  }
  const QJsonObject object = document.object();
  const QString schema = object.value(QStringLiteral("schema")).toString();
  if (schema != kSchema) {
    return base::errorAt(source, {0, 0},
                         "expected `schema` \"" + kSchema.toStdString() + "\", got \"" +
                             schema.toStdString() + "\"",
                         "the file was written by another program or another version");
  }
  Project project;
  Reader reader(source, object);
  reader.string(QStringLiteral("hardware_name"), project.hardwareName);
  reader.string(QStringLiteral("hardware"), project.hardwareText);
  reader.string(QStringLiteral("kernel_name"), project.kernelName);
  reader.string(QStringLiteral("kernel"), project.kernelText);
  reader.string(QStringLiteral("directives"), project.directives);
  reader.string(QStringLiteral("mode"), project.mode);
  reader.integer(QStringLiteral("top"), 1, kMostMappings, project.top);
  reader.flag(QStringLiteral("simulate"), project.simulate);
  readParameters(object.value(QStringLiteral("parameters")), reader, project);
  base::Diagnostics errors = reader.takeErrors();
  if (!errors.empty()) return errors;
  return project;
}

service::InputTexts inputTexts(const Project& project) {
  const auto source = [](const QString& name, const char* ending, const QString& words) {
    const QString shown = name.isEmpty() ? QStringLiteral("untitled") : name;
    return base::makeSource(shown.toStdString() + ending, words.toStdString());
  };
  const bool isMlir = service::looksLikeMlir(project.kernelText.toStdString());
  service::InputTexts texts;
  texts.hardware = source(project.hardwareName, ".hw", project.hardwareText);
  texts.kernel = source(project.kernelName, isMlir ? ".mlir" : ".rec", project.kernelText);
  texts.directives = source(project.kernelName, ".sched", project.directives);
  for (const auto& [name, value] : project.parameters) texts.parameters[name.toStdString()] = value;
  texts.mode = project.mode.toStdString();
  return texts;
}

base::Written saveProject(const Project& project, const QString& path) {
  const QByteArray json = projectJson(project);
  return base::writeFile(QFile::encodeName(path).toStdString(),
                         {json.constData(), static_cast<std::size_t>(json.size())});
}

base::Result<Project> loadProject(const QString& path) {
  const QFileInfo info(path);
  const std::string shown = path.toStdString();
  if (!info.isFile()) {
    return base::plainError("cannot open " + shown + ": not a file", "choose a project file");
  }
  if (info.size() > kLargestProject) {
    return base::plainError("cannot open " + shown + ": larger than 64 MiB",
                            "choose a project file");
  }
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    return base::plainError("cannot open " + shown + ": " + file.errorString().toStdString());
  }
  return projectFromJson(info.fileName(), file.readAll());
}

base::Result<Project> exampleProject() { return projectOf(examples().front()); }

}  // namespace gridloom::widgets
