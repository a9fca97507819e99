// SPDX-License-Identifier: Apache-2.0
#include "unit/exchange/generic_mlir.h"

#include <cctype>
#include <stdexcept>

namespace gridloom::test {

namespace {

class Parser {
 public:
  explicit Parser(const std::string& text) : m_text(text) {}

  std::unique_ptr<MlirOp> op() {
    auto out = std::make_unique<MlirOp>();
    space();
    if (peek() == '%') {
      const std::string result = value();
      long count = 1;
      if (eat(":")) count = std::stol(word());
      for (long i = 0; i < count; ++i) {
        out->results.push_back(count > 1 ? result + "#" + std::to_string(i) : result);
      }
      expect("=");
    }
    expect("\"");
    while (m_text[m_at] != '"') out->name += m_text[m_at++];
    ++m_at;
    expect("(");
    while (!eat(")")) {
      out->operands.push_back(value());
      eat(",");
    }
    if (next("<{")) out->attributes += bracketed();
    if (next("({")) regions(*out);
    if (next("{")) out->attributes += bracketed();
    expect(":");
    out->types = typeList();
    expect("->");
    space();
    out->results_types = peek() == '(' ? typeList() : std::vector<std::string>{type()};
    return out;
  }

 private:
  char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
  void space() {
    while (std::isspace(static_cast<unsigned char>(peek())) != 0) ++m_at;
  }
  bool next(const std::string& what) {
    space();
    return m_text.compare(m_at, what.size(), what) == 0;
  }
  bool eat(const std::string& what) {
    if (!next(what)) return false;
    m_at += what.size();
    return true;
  }
  void expect(const std::string& what) {
    if (!eat(what)) throw std::runtime_error("expected " + what + " at " + m_text.substr(m_at, 60));
  }
  std::string word() {
    std::string out;
    const auto isPart = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '#' || c == '%';
    };
    while (isPart(peek())) out += m_text[m_at++];
    return out;
  }
  std::string value() {
    space();
    if (peek() != '%') throw std::runtime_error("expected a value at " + m_text.substr(m_at, 60));
    return word();
  }
  // Text up to the bracket that closes the next one.
  std::string bracketed() {
    const std::size_t from = m_at;
    int depth = 0;
    do {
      const char c = m_text.at(m_at++);
      const bool arrow = c == '>' && m_text[m_at - 2] == '-';
      if (c == '{' || c == '(' || c == '<' || c == '[') ++depth;
      if (c == '}' || c == ')' || (c == '>' && !arrow) || c == ']') --depth;
    } while (depth > 0);
    return m_text.substr(from, m_at - from);
  }
  std::string type() {
    space();
    const std::size_t from = m_at;
    while (true) {
      const char c = peek();
      if (c == '(' || c == '<') {
        bracketed();
        if (m_text.compare(m_at, 4, " -> ") == 0) m_at += 4;  // of a function
      } else if (c == ',' || c == ')' || c == '\n' || c == '\0') {
        return m_text.substr(from, m_at - from);
      } else {
        ++m_at;
      }
    }
  }
  std::vector<std::string> typeList() {
    std::vector<std::string> types;
    expect("(");
    while (!eat(")")) {
      types.push_back(type());
      eat(",");
    }
    return types;
  }
  void regions(MlirOp& out) {
    expect("(");
    do {
      expect("{");
      auto region = std::make_unique<MlirOp::Region>();
      if (eat("^bb0(")) {
        while (!eat(")")) {
          region->arguments.push_back(value());
          expect(":");
          type();
          eat(",");
        }
        expect(":");
      }
      while (!eat("}")) region->ops.push_back(op());
      out.regions.push_back(std::move(region));
    } while (eat(","));
    expect(")");
  }

  const std::string& m_text;
  std::size_t m_at = 0;
};

// What is behind `attribute = `.
std::string behind(const MlirOp& op, const std::string& attribute) {
  for (const char* before : {"{", " "}) {
    const std::size_t at = op.attributes.find(before + attribute + " = ");
    if (at != std::string::npos) return op.attributes.substr(at + attribute.size() + 4);
  }
  return {};
}

}  // namespace

std::unique_ptr<MlirOp> parseGenericMlir(const std::string& text) { return Parser(text).op(); }

std::vector<long> numbersOf(const MlirOp& op, const std::string& attribute) {
  std::string text = behind(op, attribute);
  std::size_t at = text.find_first_of("-0123456789");
  if (text.rfind("array<i32: ", 0) == 0) at = 11;
  std::vector<long> numbers;
  while (at < text.size()) {
    std::size_t used = 0;
    numbers.push_back(std::stol(text.substr(at), &used));
    at += used;
    if (text.compare(at, 2, ", ") != 0 ||
        (std::isdigit(static_cast<unsigned char>(text[at + 2])) == 0 && text[at + 2] != '-')) {
      break;
    }
    at += 2;
  }
  return numbers;
}

std::string wordOf(const MlirOp& op, const std::string& attribute) {
  const std::string text = behind(op, attribute);
  const std::size_t from = text.find_first_not_of("@\"");
  return text.substr(from, text.find_first_of("\",}> ", from) - from);
}

std::vector<long> shapeOf(const std::string& type) {
  std::vector<long> shape;
  std::size_t at = type.find('<') + 1;
  while (std::isdigit(static_cast<unsigned char>(type.at(at))) != 0) {
    std::size_t used = 0;
    shape.push_back(std::stol(type.substr(at), &used));
    at += used + 1;
  }
  return shape;
}

long bitsOf(const std::string& type) {
  std::size_t at = type.find('<') + 1;
  while (std::isdigit(static_cast<unsigned char>(type.at(at))) != 0) at = type.find('x', at) + 1;
  return std::stol(type.substr(type.find_first_of("0123456789", at)));
}

}  // namespace gridloom::test
