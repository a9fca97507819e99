// SPDX-License-Identifier: Apache-2.0
#include "report/resource_text.h"

#include <fmt/format.h>

namespace gridloom::report {

using mapping::MovementKind;

std::string ResourceText::movementText(const mapping::InputMovement& movement) const {
  if (movement.kind == MovementKind::Stationary)
    return "type=\"stationary\", resources={" + m_hw.local().name + "}";
  if (movement.kind == MovementKind::Forwarded)
    return "type=\"forwarded\", resources={" + networkNames() + "}";
  if (movement.usesSharedBuffer()) {
    const std::string along = alongText(movement);
    return fmt::format("type=\"feed\", along=({}), resources={{%{}{}}}", along,
                       m_hw.sharedBuffer(static_cast<std::size_t>(movement.nextShared(-1))).name,
                       networkNames().empty() ? "" : ", " + networkNames());
  }
  if (movement.kind == MovementKind::Direct)
    return "type=\"global\", resources={" + globalNames() + "}";
  const char* type = movement.kind == MovementKind::Stream      ? "stream"
                     : movement.kind == MovementKind::TwoStage  ? "two-stage multicast"
                     : movement.kind == MovementKind::AllGather ? "all-gather"
                     : movement.kind == MovementKind::Rotate    ? "rotate"
                                                                : "broadcast";
  return fmt::format("type=\"{}\", along=({}), resources={{{}}}", type, alongText(movement),
                     networkNames());
}

std::string ResourceText::sharedText(const mapping::InputMovement& movement) const {
  std::string text;
  for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
    if ((movement.shared >> d & 1U) != 0) text += (text.empty() ? "" : ", ") + nameOf(d);
  }
  return text.empty() ? text : ", shared=(" + text + ")";
}

std::string ResourceText::alongText(const mapping::InputMovement& movement) const {
  std::string text;
  for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
    if ((movement.along >> d & 1U) == 0) continue;
    if (text.empty()) {
      text = nameOf(d);
    } else {
      text = d == movement.first ? nameOf(d) + ", " + text : text + ", " + nameOf(d);
    }
  }
  return text;
}

std::string ResourceText::networkNames() const {
  std::string text;
  for (const hardware::Network& network : m_hw.networks()) {
    text += (text.empty() ? "%" : ", %") + network.name;
  }
  return text;
}

std::string ResourceText::globalNames() const {
  const std::string networks = networkNames();
  return "%" + m_hw.global().name + (networks.empty() ? "" : ", " + networks);
}

std::string ResourceText::dimsText(mapping::DimMask split) const {
  std::string along;
  for (std::size_t d = m_hw.dims().size(); d-- > 0;) {
    if ((split >> d & 1) != 0) along += (along.empty() ? "" : ", ") + nameOf(d);
  }
  return along;
}

}  // namespace gridloom::report
