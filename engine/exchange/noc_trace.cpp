// SPDX-License-Identifier: Apache-2.0
#include "exchange/noc_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "exchange/json_cursor.h"
#include "exchange/json_document.h"
#include "exchange/noc_event_check.h"
#include "exchange/noc_event_kinds.h"
#include "exchange/noc_fields.h"

namespace gridloom::exchange {

namespace {

using TraceJson = nlohmann::json;

constexpr std::size_t kMostErrors = 20;
// Far larger than the local memory of any core in such traces.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 26;

/// Receives the parser's events and keeps only the trace events.
class EventReader {
 public:
  EventReader(NocTrace& trace, const char* const* at) : m_trace(trace), m_at(at) {}

  bool null() { return ignore(); }
  bool boolean(bool) { return ignore(); }
  bool number_integer(TraceJson::number_integer_t value) { return number(value); }
  bool number_unsigned(TraceJson::number_unsigned_t value) {
    constexpr auto most =
        static_cast<TraceJson::number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return number(static_cast<std::int64_t>(std::min(value, most)));
  }
  bool number_float(TraceJson::number_float_t value, const std::string& text);
  bool string(std::string& text);
  bool binary(TraceJson::binary_t&) { return ignore(); }
  bool start_object(std::size_t);
  bool key(std::string& name);
  bool end_object();
  bool start_array(std::size_t);
  bool end_array() {
    --m_depth;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const TraceJson::exception& error);

  base::Diagnostics takeErrors() { return std::move(m_errors); }

 private:
  std::uint32_t here() const {
    return static_cast<std::uint32_t>(*m_at - m_trace.source->text().data());
  }
  bool ignore() {
    if (m_depth == 0) return wrong("expected an array of events");
    if (m_depth == 1) return wrong("expected an event: an object");
    return true;
  }
  bool wrong(std::string message, std::string hint = {});
  bool number(std::int64_t value);
  void coordinate(std::int16_t& out, std::int64_t value);
  std::int16_t* coordinateOf(NocEvent& event) const;
  void check();
  void remark(const std::string& type);

  NocTrace& m_trace;
  const char* const* m_at;
  base::Diagnostics m_errors;
  int m_depth = 0;
  bool m_faulty = false;  ///< the current event already has an error
  std::uint32_t m_begin = 0;
  NocField m_field = NocField::None;
  NocEvent m_event;
  GivenFields m_given;
  std::optional<std::int64_t> m_device;
  std::set<std::string> m_unknown;
};

bool EventReader::wrong(std::string message, std::string hint) {
  const std::uint32_t end = here();
  const std::uint32_t begin = end > 0 ? end - 1 : 0;
  m_faulty = true;
  m_errors.push_back(
      base::errorAt(m_trace.source, {begin, end}, std::move(message), std::move(hint)));
  return m_errors.size() < kMostErrors && m_depth > 0;
}

bool EventReader::start_array(std::size_t) {
  if (m_depth == 1) return wrong("expected an event: an object");
  ++m_depth;
  return true;
}

bool EventReader::start_object(std::size_t) {
  if (m_depth == 0) {
    return wrong("expected an array of events",
                 "a NoC event trace is one flat array: [ {\"proc\": ..., \"type\": ...}, ... ]");
  }
  if (++m_depth != 2) return true;
  m_event = NocEvent{};
  m_event.processor = -1;
  m_given = {};
  m_faulty = false;
  m_field = NocField::None;
  m_begin = here() > 0 ? here() - 1 : 0;
  return true;
}

bool EventReader::key(std::string& name) {
  if (m_depth != 2) return true;
  m_field = fieldNamed(name);
  return true;
}

bool EventReader::string(std::string& text) {
  if (m_depth < 2) return ignore();
  if (m_depth > 2) return true;
  switch (m_field) {
  case NocField::Proc: {
    const auto known = std::ranges::find(m_trace.processors, text);
    m_event.processor = static_cast<std::int16_t>(known - m_trace.processors.begin());
    if (known != m_trace.processors.end()) return true;
    if (m_trace.processors.size() > 100) return wrong("more than 100 kinds of processors");
    m_trace.processors.push_back(text);
    return true;
  }
  case NocField::Noc:
    if (text != "NOC_0" && text != "NOC_1") {
      return wrong(fmt::format("expected NOC_0 or NOC_1, got `{}`", text));
    }
    m_event.plane = text == "NOC_1" ? 1 : 0;
    return true;
  case NocField::Type:
    m_given.type = text;
    return true;
  case NocField::Zone:
    m_given.zone = true;
    return true;
  case NocField::None:
    return true;
  default:
    return wrong(fmt::format("expected a number, got the text `{}`", text.substr(0, 40)));
  }
}

// A whole number may be written with an exponent.
bool EventReader::number_float(TraceJson::number_float_t value, const std::string& text) {
  if (m_depth != 2 || m_field == NocField::None) return ignore();
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (std::abs(value) < exact && std::trunc(value) == value) {
    return number(static_cast<std::int64_t>(value));
  }
  const std::string_view what =
      m_field == NocField::Bytes ? "a number of bytes up to 2^26" : "a whole number below 2^53";
  return wrong(fmt::format("expected {}, got {}", what, text.substr(0, 40)));
}

void EventReader::coordinate(std::int16_t& out, std::int64_t value) {
  constexpr std::int64_t most = std::numeric_limits<std::int16_t>::max();
  if (value < -1 || value > most) {
    wrong(fmt::format("expected a coordinate from 0 to {}, got {}", most, value));
    return;
  }
  out = static_cast<std::int16_t>(value);
}

/// Where the current field puts its coordinate; null for fields of other kinds.
std::int16_t* EventReader::coordinateOf(NocEvent& event) const {
  const auto after = [&](NocField first) {
    return static_cast<std::size_t>(m_field) - static_cast<std::size_t>(first);
  };
  if (m_field < NocField::FromX || m_field > NocField::LastY) return nullptr;
  if (m_field >= NocField::FirstX) return &event.area[after(NocField::FirstX)];
  return m_field >= NocField::ToX ? &event.to[after(NocField::ToX)]
                                  : &event.from[after(NocField::FromX)];
}

bool EventReader::number(std::int64_t value) {
  if (m_depth != 2) return ignore();
  if (std::int16_t* at = coordinateOf(m_event)) {
    coordinate(*at, value);
  } else if (m_field == NocField::Bytes) {
    if (value < 0 || value > kMostBytes) {
      return wrong(fmt::format("expected a number of bytes up to 2^26, got {}", value));
    }
    m_event.bytes = value;
  } else if (m_field == NocField::Cycle) {
    if (value < 0) return wrong(fmt::format("expected a cycle, got {}", value));
    m_event.cycle = value;
    m_given.cycle = true;
  } else if (m_field == NocField::Device) {
    if (m_device && *m_device != value) {
      return wrong(fmt::format("the trace has events of the devices {} and {}", *m_device, value),
                   "replay one device at a time");
    }
    m_device = value;
  } else if (m_field != NocField::None && m_field != NocField::Zone) {
    return wrong(fmt::format("expected a text, got {}", value));
  }
  return m_errors.size() < kMostErrors;
}

void EventReader::remark(const std::string& type) {
  if (m_unknown.size() >= kMostErrors || !m_unknown.insert(type).second) return;
  m_trace.remarks.push_back(base::warningAt(
      m_trace.source, m_event.span,
      fmt::format("events of the type `{}` are not supported: their traffic is left out",
                  type.substr(0, 60)),
      "the processor spends the recorded time on them"));
}

void EventReader::check() {
  if (m_given.type && nocEventKind(*m_given.type) == nullptr) remark(*m_given.type);
  const std::string name = m_given.type.value_or(m_given.zone ? "zone" : "event");
  for (const std::string_view what : completeEvent(m_event, m_given)) {
    // A wrong value is not also reported as missing.
    if (m_faulty || m_errors.size() >= kMostErrors) return;
    m_errors.push_back(
        base::errorAt(m_trace.source, m_event.span, fmt::format("`{}` without {}", name, what)));
  }
}

bool EventReader::end_object() {
  if (--m_depth != 1) return true;
  m_event.span = {m_begin, here()};
  check();
  if (m_errors.empty()) m_trace.events.push_back(m_event);
  return m_errors.size() < kMostErrors;
}

bool EventReader::parse_error(std::size_t position, const std::string&,
                              const TraceJson::exception& error) {
  const auto size = m_trace.source->text().size();
  const auto at = static_cast<std::uint32_t>(std::min(position > 0 ? position - 1 : 0, size));
  const bool ends = position >= size;
  if (const std::string number = numberTooLarge(error.what()); !number.empty()) {
    wrong("the number " + number + " is too large", "the trace counts cycles and bytes");
    return false;
  }
  m_errors.push_back(base::errorAt(
      m_trace.source, {at, at + 1},
      ends ? "the trace ends in the middle of an event" : "not JSON: " + jsonReason(error.what()),
      ends ? fmt::format("{} events were complete", m_trace.events.size()) : ""));
  return false;
}

}  // namespace

base::Result<NocTrace> readNocTrace(base::SourceRef source) {
  NocTrace trace;
  trace.source = std::move(source);
  const std::string_view text = trace.source->text();
  const char* at = text.data();
  EventReader reader(trace, &at);
  TraceJson::sax_parse(JsonCursor(text.data(), &at), JsonCursor(text.data() + text.size(), &at),
                       &reader);
  base::Diagnostics errors = reader.takeErrors();
  if (!errors.empty()) return errors;
  return trace;
}

}  // namespace gridloom::exchange
