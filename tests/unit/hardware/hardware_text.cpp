// SPDX-License-Identifier: Apache-2.0
#include "hardware_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "syntax/hardware_parser.h"

namespace gridloom::hardware {

namespace {

base::Result<Topology> make(const std::string& text, const Topology* like = nullptr) {
  auto spec = syntax::parseHardware(base::makeSource("test.hw", text), "test");
  if (!spec.ok()) return spec.takeDiagnostics();
  return makeTopology(*spec, like);
}

}  // namespace

Topology topologyOf(const std::string& text) {
  auto made = make(text);
  EXPECT_TRUE(made.ok()) << base::render(made.diagnostics());
  return made.ok() ? std::move(made).value() : Topology{};
}

Topology topologyLike(const std::string& text, const Topology& like) {
  auto made = make(text, &like);
  EXPECT_TRUE(made.ok()) << base::render(made.diagnostics());
  return made.ok() ? std::move(made).value() : Topology{};
}

std::string topologyNotes(const std::string& text) {
  const auto made = make(text);
  EXPECT_TRUE(made.ok());
  return base::render(made.diagnostics());
}

std::string topologyErrors(const std::string& text) {
  const auto made = make(text);
  EXPECT_FALSE(made.ok());
  return base::render(made.diagnostics());
}

Topology presetTopology(const std::string& name) {
  std::ifstream file(std::string(GRIDLOOM_SOURCE_DIR) + "/hwpresets/" + name + ".hw");
  std::stringstream text;
  text << file.rdbuf();
  return topologyOf(text.str());
}

}  // namespace gridloom::hardware
