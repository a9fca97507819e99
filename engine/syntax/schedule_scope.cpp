// SPDX-License-Identifier: Apache-2.0
#include "syntax/schedule_scope.h"

#include <algorithm>
#include <set>

#include "base/message_limit.h"
#include "schedule/op_names.h"
#include "syntax/spelling.h"

namespace gridloom::syntax {

ScheduleScope::ScheduleScope(const ScheduleText& text, const kernel::Kernel& kernel,
                             const kernel::TileNest& nest, const hardware::Topology& hw)
    : m_text(text) {
  for (const kernel::Loop& loop : kernel.loops) m_loops.push_back(loop.name);
  for (const hardware::MeshDim& dim : hw.dims()) m_dims.push_back(dim.name);
  for (const auto& level : hw.sharedBuffers()) m_sharedBuffers.push_back(level.name);
  for (const auto& buffer : text.buffers) m_buffers.push_back(buffer.name.text);
  for (const auto& channel : text.channels) m_channels.push_back(channel.name.text);
  for (const auto& token : text.tokens) m_tokens.push_back(token.name.text);
  for (const kernel::Operand& input : nest.inputs) m_inputs.push_back(input.name);
  for (const kernel::Operand& output : nest.outputs) m_outputs.push_back(output.name);
  for (const kernel::LocalBuffer& local : nest.locals) m_locals.push_back(local.name);
  for (const kernel::AllReduce& reduce : nest.allReduces) m_reduced.push_back(reduce.name);

  std::vector<Name> loops, dims, buffers, channels;
  for (const auto& loop : text.loops) loops.push_back(loop.name);
  for (const auto& dim : text.mesh) dims.push_back(dim.name);
  for (const auto& buffer : text.buffers) buffers.push_back(buffer.name);
  for (const auto& channel : text.channels) channels.push_back(channel.name);
  checkUnique(loops, "loop");
  checkUnique(dims, "mesh dimension");
  checkUnique(buffers, "buffer");
  checkUnique(channels, "channel");
  checkTokens();
}

// `await` names a buffer or a token, so their names must differ.
void ScheduleScope::checkTokens() {
  std::vector<Name> tokens;
  for (const auto& token : m_text.tokens) {
    tokens.push_back(token.name);
    if (std::find(m_buffers.begin(), m_buffers.end(), token.name.text) == m_buffers.end()) continue;
    fail(token.name.span, "there is a buffer `" + token.name.text + "` already",
         "give the token another name");
  }
  checkUnique(tokens, "token");
}

void ScheduleScope::checkUnique(const std::vector<Name>& names, std::string_view what) {
  std::set<std::string_view> seen;
  for (const Name& name : names) {
    if (seen.insert(name.text).second) continue;
    fail(name.span, "there are two " + std::string(what) + "s `" + name.text + "`",
         "give one of them another name");
  }
}

void ScheduleScope::fail(base::Span span, std::string message, std::string hint) {
  base::report(m_errors, base::errorAt(m_text.source, span, std::move(message), std::move(hint)));
}

std::optional<std::size_t> ScheduleScope::find(const Name& name, const Known& known,
                                               std::string_view what) {
  const auto found = std::find(known.begin(), known.end(), name.text);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  fail(name.span, "there is no " + std::string(what) + " `" + name.text + "`",
       spellingHint(name.text, known));
  return std::nullopt;
}

std::optional<std::size_t> ScheduleScope::operand(schedule::Buffer::Use use, const Name& name) {
  if (schedule::isOfInput(use)) return find(name, m_inputs, "input");
  if (use == schedule::Buffer::Use::Local) return find(name, m_locals, "local tensor");
  if (schedule::isOfAllReduce(use)) return find(name, m_reduced, "local tensor to reduce together");
  return find(name, m_outputs, "output");
}

bool ScheduleScope::isToken(const Name& name) const {
  return std::find(m_tokens.begin(), m_tokens.end(), name.text) != m_tokens.end();
}

bool ScheduleScope::isInput(const Name& name) const {
  return std::find(m_inputs.begin(), m_inputs.end(), name.text) != m_inputs.end();
}

}  // namespace gridloom::syntax
