// SPDX-License-Identifier: Apache-2.0
#include "unit/exchange/air_machine.h"

#include <algorithm>
#include <stdexcept>

namespace gridloom::test {

std::string AirMachine::run() {
  try {
    Scope scope;
    walk(*m_module.regions.front(), scope, nullptr);
    for (Actor& actor : m_actors) {
      actor.done.resize(actor.events.size());
      for (const Event& event : actor.events) {
        if (event.kind == Event::Kind::Get) ++m_gets[{event.name, event.indices}];
      }
    }
    // Stores come as late as may be, so that nothing else orders what waits for them.
    for (bool moved = true; moved;) {
      moved = false;
      for (Actor& actor : m_actors) moved = advance(actor, false) || moved;
      for (std::size_t a = 0; a < m_actors.size() && !moved; ++a)
        moved = advance(m_actors[a], true);
    }
  } catch (const std::exception& wrong) {
    return wrong.what();
  }
  for (const Actor& actor : m_actors) {
    if (actor.next == actor.events.size()) continue;
    std::string waits = "a core waits for";
    for (std::size_t e = actor.next; e < actor.events.size(); ++e) {
      if (actor.done[e] || actor.events[e].kind != Event::Kind::Get) continue;
      waits += " " + actor.events[e].name;
      break;
    }
    return waits;
  }
  for (const auto& [where, tiles] : m_sent) {
    if (!tiles.empty()) return where.first + " holds tiles that nobody gets";
  }
  return {};
}

std::vector<std::size_t> AirMachine::elementsOf(const Store& store, const Part& part) const {
  std::vector<std::size_t> all;
  if (part.sizes.empty()) {
    for (std::size_t e = 0; e < store.content.size(); ++e) all.push_back(e);
    return all;
  }
  const auto visit = [&](const auto& self, std::size_t d, long at) -> void {
    if (d < part.sizes.size()) {
      for (long i = 0; i < part.sizes[d]; ++i) {
        self(self, d + 1, at + (part.offsets[d] + i) * part.strides[d]);
      }
      return;
    }
    if (at < 0 || at >= static_cast<long>(store.content.size())) {
      throw std::runtime_error("element " + std::to_string(at) + " is outside of a memory");
    }
    all.push_back(static_cast<std::size_t>(at));
  };
  visit(visit, 0, 0);
  return all;
}

AirMachine::Memory AirMachine::read(std::size_t memory, const Part& part) const {
  Memory elements;
  for (const std::size_t e : elementsOf(m_stores_of[memory], part)) {
    elements.push_back(m_stores_of[memory].content[e]);
  }
  return elements;
}

void AirMachine::write(std::size_t memory, const Part& part, const Memory& elements) {
  const std::vector<std::size_t> at = elementsOf(m_stores_of[memory], part);
  if (at.size() != elements.size()) throw std::runtime_error("a copy has two sizes");
  for (std::size_t i = 0; i < at.size(); ++i) {
    // What is stored in global memory keeps its name.
    if (m_stores_of[memory].global) {
      ++m_stores[m_stores_of[memory].content[at[i]]];
    } else {
      m_stores_of[memory].content[at[i]] = elements[i];
    }
  }
}

void AirMachine::nameForwarded(const Event& event, Memory& elements) const {
  const Part& part = event.fromPart;
  Forwarding forwarding{event.name, event.indices.at(0), part.offsets};
  for (std::size_t e = 0; e < elements.size(); ++e) {
    std::size_t left = e;
    for (std::size_t d = part.sizes.size(); d-- > 0;) {
      const auto size = static_cast<std::size_t>(part.sizes[d]);
      forwarding.offset[d] = part.offsets[d] + static_cast<long>(left % size);
      left /= size;
    }
    elements[e] = m_nameOf(forwarding);
  }
}

void AirMachine::put(const Event& event, const Actor& actor) {
  const Channel& channel = m_channels.at(event.name);
  Memory elements = read(event.from, event.fromPart);
  if (event.name.starts_with("forwarded_")) nameForwarded(event, elements);
  std::vector<long> to = event.indices;
  const auto visit = [&](const auto& self, std::size_t d) -> void {
    if (d < to.size()) {
      if (channel.shape.empty() || channel.size[d] != 1 || channel.shape[d] == 1) {
        return self(self, d + 1);
      }
      for (to[d] = 0; to[d] < channel.shape[d]; ++to[d]) self(self, d + 1);
      return;
    }
    // A broadcast counts the sender, which receives nothing. In a mesh of three dimensions a herd
    // does not say where its cores are.
    const bool own = !channel.shape.empty() && (to == actor.at || to.size() > 2);
    if (own && !m_gets.contains({event.name, to})) return;
    std::vector<Memory>& sent = m_sent[{event.name, to}];
    sent.push_back(elements);
    const bool awaited = event.name.starts_with("forwarded_") || event.name.starts_with("stored_");
    if (awaited && static_cast<long>(sent.size()) > channel.room) {
      throw std::runtime_error(event.name + " has no room");
    }
  };
  visit(visit, 0);
}

bool AirMachine::isReady(const Actor& actor, const Event& event) const {
  for (const long token : event.after) {
    if (token > 0 && !actor.done[static_cast<std::size_t>(token - 1)]) return false;
  }
  if (event.kind != Event::Kind::Get) return true;
  const auto sent = m_sent.find({event.name, event.indices});
  return sent != m_sent.end() && !sent->second.empty();
}

bool AirMachine::advance(Actor& actor, bool stores) {
  bool moved = false;
  // Nothing far behind the first open event is ready: buffers hold it back.
  const std::size_t end = std::min(actor.events.size(), actor.next + 500);
  for (std::size_t e = actor.next; e < end; ++e) {
    const Event& event = actor.events[e];
    const bool isStore = event.kind == Event::Kind::Copy && m_stores_of[event.to].global;
    if (actor.done[e] || isStore != stores || !isReady(actor, event)) continue;
    execute(event, actor);
    actor.done[e] = true;
    moved = true;
  }
  while (actor.next < actor.events.size() && actor.done[actor.next]) ++actor.next;
  return moved;
}

void AirMachine::execute(const Event& event, const Actor& actor) {
  switch (event.kind) {
  case Event::Kind::Join:
    break;
  case Event::Kind::Copy: {
    const Memory elements = read(event.from, event.fromPart);
    if (m_stores_of[event.from].global) {
      for (const Element& e : elements) {
        if (!m_stores.contains(e)) m_early.insert(e);
      }
    }
    (m_stores_of[event.from].global ? m_loaded : m_stored) +=
        bytes(m_stores_of[event.to], elements.size());
    write(event.to, event.toPart, elements);
    break;
  }
  case Event::Kind::Put:
    put(event, actor);
    break;
  case Event::Kind::Get: {
    std::vector<Memory>& sent = m_sent[{event.name, event.indices}];
    m_got[event.name] += bytes(m_stores_of[event.to], sent.front().size());
    // Partial results have more elements than their tile.
    if (elementsOf(m_stores_of[event.to], event.toPart).size() == sent.front().size()) {
      write(event.to, event.toPart, sent.front());
    }
    sent.erase(sent.begin());
    break;
  }
  case Event::Kind::Call: {
    Call call{event.name, {}, event.indices};
    for (const std::size_t memory : event.memories) {
      call.memories.push_back(&m_stores_of[memory].content);
    }
    m_onCall(call);
    break;
  }
  }
}

}  // namespace gridloom::test
