// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/measured_problem.h"

#include <QRegularExpression>
#include <algorithm>

#include "base/assignments.h"
#include "models/quantity_text.h"
#include "service/workspace.h"
#include "texts/presets.h"

namespace gridloom::widgets {

namespace {

const std::string& settingOf(const RowSettings& row, std::string_view name) {
  static const std::string none;
  const auto found = row.find(name);
  return found == row.end() ? none : found->second;
}

bool sameTypes(const kernel::Kernel& a, const kernel::Kernel& b) {
  return std::ranges::equal(a.tensors, b.tensors, {}, &kernel::Tensor::dtype,
                            &kernel::Tensor::dtype);
}

/// The text of a kernel with another element type, which a project has no place of its own for. The
/// text is tried: it has to read as the kernel does when it is told the type.
base::Result<QString> withType(const base::SourceRef& source, const std::string& dtype) {
  const QString words = text(source->text());
  if (dtype.empty()) return words;
  const auto wanted = service::openKernel(source, {{}, dtype, ""});
  if (!wanted) return wanted.diagnostics();
  const auto plain = service::openKernel(source, {});
  if (plain && sameTypes((*plain)->kernel, (*wanted)->kernel)) return words;
  QString changed = words;
  changed.replace(QRegularExpression(QStringLiteral(R"((\btensor\s+\w+\s*\[[^\]]*\]\s*:\s*)\w+)")),
                  QStringLiteral("\\1") + text(dtype));
  const auto read =
      service::openKernel(base::makeSource(std::string(source->name()), changed.toStdString()), {});
  if (read && sameTypes((*read)->kernel, (*wanted)->kernel)) return changed;
  return base::plainError("the kernel's text cannot be given the type " + dtype,
                          "open the kernel, and write the type beside its tensors");
}

/// A name, a file, or directives themselves, as in a study.
base::Result<QString> directivesOf(const RowSettings& row) {
  const std::string& name = settingOf(row, "directives");
  QString words = text(name).replace(QLatin1Char(';'), QLatin1Char('\n'));
  if (!name.empty() && name.find('(') == std::string::npos) {
    const auto loaded = texts::loadDirectivesText(name);
    if (!loaded) return loaded.diagnostics();
    words = text((*loaded)->text());
  }
  const auto tiles = base::sizesIn(settingOf(row, "tiles"));
  if (!tiles) return tiles.diagnostics();
  for (const auto& [loop, size] : *tiles)
    words += QStringLiteral("\ntile(%1, %2)").arg(text(loop)).arg(size);
  QStringList lines;
  for (const QString& line : words.split(QLatin1Char('\n'))) lines << line.trimmed();
  return lines.join(QLatin1Char('\n')).trimmed();
}

}  // namespace

base::Result<Project> problemOf(const RowSettings& row, const Project& now) {
  if (!settingOf(row, "vary").empty())
    return base::plainError("this row varies its machine: " + settingOf(row, "vary"),
                            "open a row of a machine as it is described");
  const auto hardware = texts::loadHardwareText(settingOf(row, "hardware"));
  if (!hardware) return hardware.diagnostics();
  const auto kernel = texts::loadKernelText(settingOf(row, "kernel"));
  if (!kernel) return kernel.diagnostics();
  auto typed = withType(*kernel, settingOf(row, "dtype"));
  if (!typed) return typed.diagnostics();
  auto directives = directivesOf(row);
  if (!directives) return directives.diagnostics();
  const auto sizes = base::sizesIn(settingOf(row, "sizes"));
  if (!sizes) return sizes.diagnostics();
  Project project = now;
  project.hardwareName = text(settingOf(row, "hardware"));
  project.hardwareText = text((*hardware)->text());
  project.kernelName = text(settingOf(row, "kernel"));
  project.kernelText = *std::move(typed);
  project.directives = *std::move(directives);
  project.mode = text(settingOf(row, "mode"));
  project.parameters.clear();
  for (const auto& [name, size] : *sizes) project.parameters.emplace(text(name), size);
  return project;
}

}  // namespace gridloom::widgets
