// SPDX-License-Identifier: Apache-2.0
// One function per role, as T2S-Tensor isolates them (Section III).
#include <utility>

#include "exchange/cpp_nest.h"
#include "exchange/hls_code.h"
#include "kernel/interpreter.h"

namespace gridloom::exchange {

using kernel::Operand;
using mapping::DataflowRole;

std::string HlsRoles::run() {
  for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
    loader(i);
    feeder(i);
  }
  element();
  results();
  return std::move(m_text);
}

void HlsRoles::loader(std::size_t i) {
  const Operand& operand = m_nest.inputs[i];
  const HlsPlan::Input& input = m_plan.inputs[i];
  const int across = 1 - input.along;
  std::string indent = "  ", text = "  Loops w{};\n";
  text += waves(0, input.level, nullptr, indent);
  text += waves(input.level, depth(), &operand, indent);
  const char* const names[2] = {"px", "py"};
  text += fmt::format(
      "{0}for (long {1} = 0; {1} < {2}; ++{1}) {{\n{0}  for (long {3} = 0; {3} < {4}; ++{3}) {{\n",
      indent, names[across], input.common ? 1 : places(across), names[input.along],
      input.scattered ? places(input.along) : 1);
  indent += "    ";
  text += fmt::format("{1}auto tile = std::make_unique<{0}_tile>();\n"
                      "{1}{0}_place(*tile, box_of(w, px, py));\n"
                      "{1}tile->meet(dram.{2}_, [](double& here, double& there) {{ here = there; "
                      "}});\n"
                      "{1}for (const double v : tile->data) {0}_to_feeder[0].write(v);\n",
                      stem(operand), indent, cppName(m_kernel.tensor(operand.tensor).name));
  close(text, indent, 2);
  add("\n// Global memory to the first feeder of {0}; 0 past the edge of the tensor.\n"
      "void {1}() {{\n{2}}}\n",
      stem(operand), functionOf(operand, DataflowRole::Loader), text);
}

void HlsRoles::feeder(std::size_t i) {
  const Operand& operand = m_nest.inputs[i];
  const HlsPlan::Input& input = m_plan.inputs[i];
  const std::int64_t own = input.scattered ? places(input.along) : 1;
  const std::int64_t count = places(1 - input.along);
  const std::string name = stem(operand);
  const std::string entry = input.along == 0 ? "[0][line]" : "[line][0]";
  std::string indent = "  ", text;
  text += fmt::format("  constexpr long own = {0} * {1}_tile::count;  // words per wave\n"
                      "  std::vector<double> buffer({2} * own);\n  Loops w{{}};\n",
                      own, name, slots(operand, input.level));
  text += waves(0, input.level, nullptr, indent);
  const std::size_t inside = indent.size();
  text += waves(input.level, depth(), &operand, indent);
  text += fmt::format("{0}const long slot = {1};\n", indent, slot(operand, input.level));
  if (input.common) {
    text +=
        fmt::format("{0}for (long n = 0; n < own; ++n) {{\n"
                    "{0}  const double v = buffer[slot * own + n] = {1}_to_feeder[line].read();\n"
                    "{0}  if constexpr (line + 1 < {2}) {1}_to_feeder[line + 1].write(v);\n"
                    "{0}}}\n",
                    indent, name, count);
  } else {
    text += fmt::format(
        "{0}for (long n = 0; n < own; ++n) buffer[slot * own + n] = {1}_to_feeder[line].read();\n"
        "{0}if constexpr (line + 1 < {2}) {{\n"
        "{0}  for (long n = 0; n < ({2} - 1 - line) * own; ++n) {{\n"
        "{0}    {1}_to_feeder[line + 1].write({1}_to_feeder[line].read());\n{0}  }}\n{0}}}\n",
        indent, name, count);
  }
  close(text, indent, inside);
  text += waves(input.level, depth(), nullptr, indent);
  text += fmt::format("{0}const long again = {1};\n"
                      "{0}for (long n = 0; n < own; ++n) {2}_to_PE{3}.write(buffer[again * own + n"
                      "]);\n",
                      indent, slot(operand, input.level), name, entry);
  close(text, indent, 2);
  add("\n// Keeps what its line of the array needs, passes the rest on to the next feeder, and\n"
      "// feeds the first place of the line, as often as the place needs a tile.\n"
      "template <long line> void {}() {{\n{}}}\n",
      functionOf(operand, DataflowRole::Feeder), text);
}

// A place takes its tile of an input and passes on what is for the places behind it.
std::string HlsRoles::take(std::size_t i, const std::string& indent) const {
  const HlsPlan::Input& input = m_plan.inputs[i];
  const std::string name = stem(m_nest.inputs[i]);
  const char* const here = input.along == 0 ? "px" : "py";
  const char* const count = input.along == 0 ? "kX" : "kY";
  const std::string next =
      fmt::format("{}_to_PE{}", name, input.along == 0 ? "[px + 1][py]" : "[px][py + 1]");
  std::string text = fmt::format("{0}{1}_place({1}_in, t);\n{0}for (double& v : {1}_in.data) {{\n"
                                 "{0}  v = {1}_to_PE[px][py].read();\n",
                                 indent, name);
  if (!input.scattered) {
    return text + fmt::format("{0}  if constexpr ({1} + 1 < {2}) {3}.write(v);\n{0}}}\n", indent,
                              here, count, next);
  }
  return text + fmt::format("{0}}}\n{0}if constexpr ({1} + 1 < {2}) {{\n"
                            "{0}  for (long n = 0; n < ({2} - 1 - {1}) * {4}_tile::count; ++n) "
                            "{{\n{0}    {3}.write({4}_to_PE[px][py].read());\n{0}  }}\n{0}}}\n",
                            indent, here, count, next, name);
}

void HlsRoles::element() {
  const std::string name = stem(output());
  const bool reduces = kernel::isReduction(root());
  std::string indent = "  ", text, arguments;
  for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
    text += fmt::format("  static {0}_tile {0}_in;\n", stem(m_nest.inputs[i]));
    arguments += stem(m_nest.inputs[i]) + "_in, ";
  }
  text += fmt::format("  static {0}_tile {0}_out[{1}];\n  Loops w{{}};\n", name,
                      slots(output(), m_plan.outputLevel));
  text += waves(0, m_plan.outputLevel, nullptr, indent);
  const std::size_t inside = indent.size();
  text += fmt::format("{0}for (auto& tile : {1}_out) {{\n{0}  for (double& v : tile.data) v = {2};"
                      "\n{0}}}\n",
                      indent, name, reduces ? cppNumber(kernel::neutralOf(root())) : "0");
  text += waves(m_plan.outputLevel, depth(), nullptr, indent);
  text += fmt::format("{}const Box t = box_of(w, px, py);\n", indent);
  for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) text += take(i, indent);
  text += fmt::format("{0}{1}_tile& result = {1}_out[{2}];\n{0}{1}_place(result, t);\n"
                      "{0}compute(t, {3}result);\n",
                      indent, name, slot(output(), m_plan.outputLevel), arguments);
  close(text, indent, inside);
  text += fmt::format("{0}for (auto& tile : {1}_out) {{\n{0}  for (double& v : tile.data) {{\n{2}"
                      "{0}  }}\n{0}}}\n",
                      indent, name, deliver(indent + "    "));
  close(text, indent, 2);
  add("\n// One place of the array.\ntemplate <long px, long py> void {}() {{\n{}}}\n",
      nameOf(DataflowRole::Element), text);
}

std::string HlsRoles::deliver(const std::string& indent) const {
  const std::string name = stem(output());
  if (m_plan.split < 0) return fmt::format("{}{}_result[px][py].write(v);\n", indent, name);
  const bool x = m_plan.split == 0;
  return fmt::format("{0}if constexpr ({1} + 1 < {2}) {{\n"
                     "{0}  const double behind = {3}_partial[{4}].read();\n{0}  v = {5};\n{0}}}\n"
                     "{0}if constexpr ({1} > 0) {3}_partial[px][py].write(v);\n"
                     "{0}else {3}_result[px][py].write(v);\n",
                     indent, x ? "px" : "py", x ? "kX" : "kY", name,
                     x ? "px + 1][py" : "px][py + 1", cppJoin(root(), "v", "behind"));
}

void HlsRoles::results() {
  const std::string name = stem(output());
  std::string indent = "  ", text = "  [[maybe_unused]] Loops w{};\n";
  text += fmt::format("  constexpr long words = {} * {}_tile::count;\n",
                      slots(output(), m_plan.outputLevel), name);
  text += waves(0, m_plan.outputLevel, nullptr, indent);
  std::string drain = text, collect = text, at = indent;
  const std::string one = "{0}for (long n = 0; n < {1}; ++n) {2}.write({3}.read());\n";
  const auto pass = [&](const std::string& count, const std::string& to, const std::string& of) {
    return fmt::format(fmt::runtime(one), indent, count, name + to, name + of);
  };
  drain += pass("words", "_drained[px][py]", "_result[px][py]") + indent +
           "if constexpr (py > 0) {\n  " +
           pass("py * words", "_drained[px][py]", "_drained[px][py - 1]") + indent + "}\n";
  close(drain, at, 2);
  add("\n// Takes the results of its place, then passes on those of the places before it.\n"
      "template <long px, long py> void {}() {{\n{}}}\n",
      functionOf(output(), DataflowRole::Drainer), drain);
  const std::string column = fmt::format("{} * words", lines(1));
  collect += pass(column, "_collected[px]", fmt::format("_drained[px][{}]", lines(1) - 1)) +
             indent + "if constexpr (px > 0) {\n  " +
             pass("px * " + column, "_collected[px]", "_collected[px - 1]") + indent + "}\n";
  at = indent;
  close(collect, at, 2);
  add("\n// Takes what the drainers of its column bring, then what comes from the column before.\n"
      "template <long px> void {}() {{\n{}}}\n",
      functionOf(output(), DataflowRole::Collector), collect);
  unloader();
}

void HlsRoles::unloader() {
  const std::string name = stem(output());
  std::string indent = "  ", text = "  Loops w{};\n";
  text += waves(0, m_plan.outputLevel, nullptr, indent);
  text += fmt::format("{0}for (long px = {1}; px-- > 0;) {{\n{0}  for (long py = {2}; py-- > 0;) "
                      "{{\n",
                      indent, lines(0), lines(1));
  indent += "    ";
  text += waves(m_plan.outputLevel, depth(), &output(), indent);
  text += fmt::format("{0}auto tile = std::make_unique<{1}_tile>();\n"
                      "{0}{1}_place(*tile, box_of(w, px, py));\n"
                      "{0}for (double& v : tile->data) v = {1}_collected[{2}].read();\n"
                      "{0}tile->meet(dram.{3}_, [](double& here, double& there) {{ there = here; "
                      "}});\n",
                      indent, name, lines(0) - 1, cppName(m_kernel.tensor(output().tensor).name));
  close(text, indent, 2);
  add("\n// The last collector to global memory.\nvoid {}() {{\n{}}}\n",
      functionOf(output(), DataflowRole::Unloader), text);
}

}  // namespace gridloom::exchange
