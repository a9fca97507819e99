// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source_text.h"

namespace gridloom::language {

/// What editors ask about a `.hw`, `.rec` or `.sched` text. Offsets are bytes. Texts with errors
/// are answered as far as their words go; other kinds of text have no answers.

/// Markdown about the word at the offset: what it means, or what the name stands for. "" for none.
std::string hoverText(const base::SourceRef& text, std::uint32_t offset);

struct Completion {
  enum class Kind { Keyword, Function, Type, Attribute, Name };
  std::string text;
  Kind kind = Kind::Name;
  std::string help;
};
/// What may stand at the offset, without what is typed already.
std::vector<Completion> completionsAt(const base::SourceRef& text, std::uint32_t offset);

/// A template that an editor may insert. Places to fill are written `${name}`; places of the same
/// name hold the same text.
struct Snippet {
  std::string_view title;  ///< begins with the word that brings it up
  std::string_view body;
  std::string_view help;
};
/// The templates for a line of a `.hw` or `.rec` text of which only a word is there, which ends at
/// the offset; else none.
std::span<const Snippet> snippetsAt(const base::SourceText& text, std::uint32_t offset);

/// What the parentheses around the offset, or the attribute whose value stands there, take: one
/// line; "" for nothing.
std::string signatureAt(const base::SourceRef& text, std::uint32_t offset);

/// A number of a hardware text, and where it stands: an attribute of a component, an operand (the
/// size of a dimension), or a parameter.
struct HardwareField {
  std::string op;         ///< "core", "memory", ...; "param"
  std::string component;  ///< name without `%`; of a parameter, its own
  std::string attribute;  ///< "bandwidth", "throughput hifi4"; "" for a parameter
  double number = 0;
  std::string unit;  ///< as written; may be empty
  bool whole = false;
  /// The number with its unit, to be replaced. Where the attribute takes its value from a
  /// parameter, that of the parameter, which `parameter` names.
  base::Span value;
  std::string parameter;
  std::string help;  ///< one sentence; "" for a parameter
};
/// All numbers of a `.hw` text in the order of the text, parameters first. An op with errors has
/// none. Parameters that are expressions of others are left out.
std::vector<HardwareField> hardwareFields(const base::SourceRef& text);

/// A replacement of a part of a text.
struct TextEdit {
  base::Span span;
  std::string text;
};
/// Coordinates of cores that a `.hw` text disables one by one, as `disabled` lists them.
std::vector<std::vector<std::int64_t>> disabledCores(const base::SourceRef& text);
/// What disables a core, or enables one that `disabledCores` has. Empty when there is no core array
/// or nothing to change.
std::optional<TextEdit> disableCore(const base::SourceRef& text,
                                    const std::vector<std::int64_t>& core, bool disabled);

/// How many steps of networks, each along one dimension of the mesh, close into rings at its edge
/// (`(d0 + 1) mod cols`), and how many end there (`d0 + 1`).
struct EdgeLinks {
  int wrapped = 0;
  int open = 0;
};
EdgeLinks edgeLinks(const base::SourceRef& text);
/// What makes all networks of a `.hw` text wrap around (a torus), or end at the edge (a mesh), last
/// edit first. Links of a mesh that lead one way only get a network in the other direction beside
/// them, else some cores could not be reached. Empty when there is nothing to change, or when the
/// size of a dimension is not found.
std::vector<TextEdit> wrapLinks(const base::SourceRef& text, bool wraps);

/// What gives a `.hw` text a network beside those that it has: a copy of those of the first plane,
/// on a plane of its own. Empty where there is none to copy.
std::vector<TextEdit> addNetwork(const base::SourceRef& text);
/// What gives it a shared buffer between the local memory of that name and global memory: one for
/// each column of cores (the first dimension), of four times the size of a local memory, or one
/// for all, of sixteen times; as fast as a local memory. These figures are to begin with.
/// Empty where the mesh has not two dimensions or the local memory no size.
std::vector<TextEdit> addSharedBuffer(const base::SourceRef& text, const std::string& localMemory,
                                      bool perColumn);
/// The routers, as coordinates, at which a channel of a memory has its ports; at least one.
using PortRouters = std::vector<std::vector<std::int64_t>>;
/// What puts one port of a channel of the global memory of that name at another router. `routers`
/// has the ports of every channel, with the new place. They are written as `at`, and the map of the
/// ports, which would name other places, is taken away. Last edit first; empty where `at` has
/// another form.
std::vector<TextEdit> placePort(const base::SourceRef& text, const std::string& memory,
                                std::size_t channel, std::size_t port,
                                const std::vector<PortRouters>& routers);
/// The same for all channels: `routers` replaces an `at` of any form and number.
std::vector<TextEdit> placeChannels(const base::SourceRef& text, const std::string& memory,
                                    const std::vector<PortRouters>& routers);

/// Where the name at the offset is defined in the same text.
std::optional<base::Span> definitionAt(const base::SourceRef& text, std::uint32_t offset);

}  // namespace gridloom::language
