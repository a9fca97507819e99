// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "language/language.h"

namespace gridloom::widgets {

class Session;

/// Edits of the hardware's text that several views offer. Each is one step of the undo history, and
/// without effect where the text does not allow it.

/// The number in the text that sizes a dimension of the cores: that of a parameter, so that maps
/// and memories follow. None where the size is no parameter.
std::optional<language::HardwareField> meshSize(const Session& session, std::size_t dimension);
void resizeMesh(Session& session, std::size_t dimension, int size);

/// What parameters and dimensions of the text are the size of, by their names: "Columns" and "Rows"
/// of the mesh, "Channels of dram". Of others nothing.
QMap<QString, QString> sizesOf(const Session& session);

/// `core`: coordinates as described.
void setCoreDisabled(Session& session, const std::vector<std::int64_t>& core, bool disabled);
/// The coordinates of a core as the description counts; empty for none.
std::vector<std::int64_t> describedCore(const service::HardwareRef& hardware, int core);

/// How the networks end at the edge of the mesh.
language::EdgeLinks edgesOf(const Session& session);
/// Makes it a torus, or a mesh.
void setWrapped(Session& session, bool wraps);
/// Whether the mesh could be a ring of all cores: both sizes are parameters, no core is disabled;
/// and whether it is one.
bool mayBeRing(const Session& session);
bool isRing(const Session& session);
/// Makes it one row of as many cores, whose links close into a ring; the channels of the global
/// memory are spread over it. False, and no edit, where it may not be one or the text would not
/// check, as where the number of channels follows the rows. Resolves the edited text once.
bool makeRing(Session& session);

/// A network beside the others; a shared buffer for each column of cores or for all. False where
/// the text does not allow it.
bool addNetwork(Session& session);
bool addSharedBuffer(Session& session, bool perColumn);

/// Why the ports of global memory may not be put at other routers; empty where they may.
QString whyNotPlaceable(const Session& session);
/// Puts a port of a channel at another router. `routers`: of all ports of every channel, with the
/// new one. Empty when it is done, else why the language cannot say it. Resolves
/// the edited text of a mesh of usual size once.
QString placePort(Session& session, std::size_t channel, std::size_t port,
                  const std::vector<language::PortRouters>& routers);

}  // namespace gridloom::widgets
