// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "service/language.h"

namespace gridloom::widgets {

class Session;

/// Edits of the hardware's text that several views offer. Each is one step of the undo history, and
/// without effect where the text does not allow it.

/// The number in the text that sizes a dimension of the cores: that of a parameter, so that maps
/// and memories follow. None where the size is no parameter.
std::optional<service::HardwareField> meshSize(const Session& session, std::size_t dimension);
void resizeMesh(Session& session, std::size_t dimension, int size);

/// `core`: coordinates as described.
void setCoreDisabled(Session& session, const std::vector<std::int64_t>& core, bool disabled);
/// The coordinates of a core as the description counts; empty for none.
std::vector<std::int64_t> describedCore(const Session& session, int core);

/// How the networks end at the edge of the mesh.
service::EdgeLinks edgesOf(const Session& session);
/// Makes it a torus, or a mesh.
void setWrapped(Session& session, bool wraps);

}  // namespace gridloom::widgets
