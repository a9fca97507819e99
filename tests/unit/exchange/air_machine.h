// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "unit/exchange/generic_mlir.h"

namespace gridloom::test {

/// Runs a module of AIR, as mlir-opt prints it in its generic form after `--lower-affine`.
///
/// Memory holds which element of which tensor of the function it got, and no values. An operation
/// runs once those whose tokens it names have run, and a get once its channel is filled; channels
/// hold as much as is put. Channels of awaited tiles must have room for all that is put and not got.
class AirMachine {
 public:
  /// An element of an argument of the function: its number, and the element in row-major order.
  struct Element {
    int tensor = -1;
    long at = 0;
    friend auto operator<=>(const Element&, const Element&) = default;
  };
  using Memory = std::vector<Element>;
  /// A call of a tile operation: its name, its memories and its indices.
  struct Call {
    std::string function;
    std::vector<const Memory*> memories;
    std::vector<long> indices;
  };
  /// A put of a computed tile: its channel and indices, and which element of the memory it is,
  /// per dimension.
  struct Forwarding {
    std::string channel;
    long tile = 0;
    std::vector<long> offset;
  };
  /// `indexAt`: the value of an element of an integer tensor. `nameOf`: the element of an argument
  /// that a channel `forwarded_...` carries.
  AirMachine(const MlirOp& module, std::function<void(const Call&)> onCall,
             std::function<long(Element)> indexAt, std::function<Element(const Forwarding&)> nameOf)
      : m_module(module),
        m_onCall(std::move(onCall)),
        m_indexAt(std::move(indexAt)),
        m_nameOf(std::move(nameOf)) {}

  /// Runs it; returns what went wrong, "" if nothing: cores that wait forever, tiles that were put
  /// and never got, elements outside of a memory.
  std::string run();

  double loadedBytes() const { return m_loaded; }
  double storedBytes() const { return m_stored; }
  /// Per channel: bytes that its gets took.
  const std::map<std::string, double>& bytesGot() const { return m_got; }
  /// Per element of a tensor that was stored: how often.
  const std::map<Element, int>& stores() const { return m_stores; }
  /// Elements that were loaded before they were stored.
  const std::set<Element>& early() const { return m_early; }

 private:
  /// A value: a number, or a memory by its number.
  using Scope = std::map<std::string, long>;
  struct Part {
    std::vector<long> offsets, sizes, strides;  ///< empty: all
  };
  struct Event {
    enum class Kind { Join, Copy, Put, Get, Call } kind = Kind::Join;
    std::vector<long> after;  ///< tokens: the numbers of events, from 1
    std::size_t to = 0, from = 0;
    Part toPart, fromPart;
    std::string name;           ///< of the channel or function
    std::vector<long> indices;  ///< of the channel or call
    std::vector<std::size_t> memories;
  };
  /// A core, or what serves a shared buffer: what it does in order.
  struct Actor {
    std::vector<Event> events;
    std::vector<bool> done;
    std::size_t next = 0;  ///< all before it are done
    std::vector<long> at;
  };
  struct Channel {
    std::vector<long> size, shape;
    long room = 0;
  };
  struct Store {
    Memory content;
    std::vector<long> shape;
    long bits = 0;
    bool global = false;
  };

  void walk(const MlirOp::Region& region, Scope& scope, Actor* actor);
  void perform(const MlirOp& op, Scope& scope, Actor* actor);
  void loop(const MlirOp& op, Scope& scope, Actor* actor);
  void cores(const MlirOp& op, const Scope& scope, long columns, long rows, std::size_t skip);
  std::vector<long> m_executeAfter;  ///< tokens of the operation around a call
  std::vector<long> yielded(const MlirOp::Region& region, const Scope& scope) const;
  long number(const MlirOp& op, const Scope& scope) const;
  long note(const MlirOp& op, const Scope& scope, Actor& actor);
  std::size_t add(const std::string& type, bool global);

  /// Runs the stores that can run, or all else; tells whether anything did.
  bool advance(Actor& actor, bool stores);
  bool isReady(const Actor& actor, const Event& event) const;
  void execute(const Event& event, const Actor& actor);
  Memory read(std::size_t memory, const Part& part) const;
  void write(std::size_t memory, const Part& part, const Memory& elements);
  std::vector<std::size_t> elementsOf(const Store& store, const Part& part) const;
  void put(const Event& event, const Actor& actor);
  void nameForwarded(const Event& event, Memory& elements) const;
  double bytes(const Store& store, std::size_t elements) const {
    return static_cast<double>(elements) * static_cast<double>(store.bits) / 8;
  }

  const MlirOp& m_module;
  std::function<void(const Call&)> m_onCall;
  std::function<long(Element)> m_indexAt;
  std::function<Element(const Forwarding&)> m_nameOf;
  std::vector<Store> m_stores_of;
  std::map<std::string, Channel> m_channels;
  std::map<std::string, std::size_t> m_functions;
  std::vector<std::string> m_names;
  std::vector<Actor> m_actors;
  std::map<std::pair<std::string, std::vector<long>>, std::vector<Memory>> m_sent;
  std::map<std::pair<std::string, std::vector<long>>, long> m_gets;
  double m_loaded = 0, m_stored = 0;
  std::map<std::string, double> m_got;
  std::map<Element, int> m_stores;
  std::set<Element> m_early;
};

}  // namespace gridloom::test
