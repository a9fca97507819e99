// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/checked_inputs.h"

namespace gridloom::widgets {

std::shared_ptr<const CheckedInputs> checkInputs(const Project& project,
                                                 const OpenedHardware& known,
                                                 const service::Hardware* like,
                                                 base::Progress& progress) {
  CheckedInputs checked = service::checkInputs(inputTexts(project), known, like, progress);
  if (!checked.meaning.empty()) checked.meaning += std::to_string(project.top);
  return std::make_shared<const CheckedInputs>(std::move(checked));
}

service::ExploreOptions exploreOptions(const Project& project,
                                       const service::SearchLimits& search) {
  service::ExploreOptions options;
  options.top = project.top;
  options.mode = project.mode.toStdString();
  options.search = search;
  // Finds the same best mapping as the command, and the same parts.
  options.apart = project.directives.trimmed().isEmpty();
  if (project.simulate) options.rerank = ranking::kQuickReranking;
  return options;
}

}  // namespace gridloom::widgets
