// SPDX-License-Identifier: Apache-2.0
// A client that talks to `gridloom lsp` as an editor does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/command.h"

namespace gridloom::test {
namespace {

using nlohmann::json;

std::string framed(const std::string& body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

class Client {
 public:
  void note(const std::string& method, const json& params) {
    m_input += framed(json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
  }
  int ask(const std::string& method, const json& params) {
    m_input += framed(
        json{{"jsonrpc", "2.0"}, {"id", ++m_id}, {"method", method}, {"params", params}}.dump());
    return m_id;
  }
  void say(const std::string& bytes) { m_input += bytes; }
  void open(const std::string& uri, const std::string& text) {
    note("textDocument/didOpen", {{"textDocument", {{"uri", uri}, {"text", text}}}});
  }
  int at(const std::string& method, const std::string& uri, int line, int character) {
    return ask("textDocument/" + method,
               {{"textDocument", {{"uri", uri}}},
                {"position", {{"line", line}, {"character", character}}}});
  }

  /// Sends everything and reads every answer.
  CommandResult run() {
    const TemporaryFolder folder;
    Surroundings around;
    const std::string input = folder.write("input", m_input);
    around.prepare = [input] {
      if (std::freopen(input.c_str(), "rb", stdin) == nullptr) std::abort();
    };
    CommandResult result = runCommand({"lsp"}, around);
    std::string_view rest = result.out;
    constexpr std::string_view kHead = "Content-Length: ";
    while (rest.starts_with(kHead)) {
      const std::size_t length = std::stoul(std::string(rest.substr(kHead.size(), 12)));
      const std::size_t body = rest.find("\r\n\r\n") + 4;
      m_answers.push_back(json::parse(rest.substr(body, length)));
      rest.remove_prefix(body + length);
    }
    EXPECT_TRUE(rest.empty()) << rest;
    return result;
  }

  json answerTo(int id) const {
    for (const json& answer : m_answers) {
      if (answer.contains("id") && answer["id"] == id) {
        return answer.contains("result") ? answer["result"] : answer["error"];
      }
    }
    return "no answer";
  }
  /// The last diagnostics of a document.
  json diagnostics(const std::string& uri) const {
    json found = "none";
    for (const json& answer : m_answers) {
      if (answer.value("method", "") == "textDocument/publishDiagnostics" &&
          answer["params"]["uri"] == uri) {
        found = answer["params"]["diagnostics"];
      }
    }
    return found;
  }

 private:
  std::string m_input;
  std::vector<json> m_answers;
  int m_id = 0;
};

std::vector<std::string> labels(const json& completions) {
  std::vector<std::string> labels;
  for (const json& item : completions["items"]) labels.push_back(item["label"]);
  return labels;
}

bool has(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr const char* kKernel = "kernel scale(N = 64) {\n"
                                "  tensor X[N]: f32\n"
                                "  tensor Y[N]: f32\n"
                                "  Y[i] = exp(X[i]) * 2\n"
                                "}\n";
constexpr const char* kHardware = "// \xC3\xA9\n%x = df.spatial_dim 0\n"
                                  "%l1 = df.memory { scaleout = (%x), si }\n";

TEST(Lsp, AWholeSessionOfAnEditor) {
  Client client;
  const int start = client.ask("initialize", json::object());
  client.note("initialized", json::object());
  const std::string rec = "file:///tmp/a%20b.rec";
  const std::string hw = "file:///tmp/m.hw";
  client.open(rec, kKernel);
  client.open(hw, kHardware);
  const int tensor = client.at("hover", rec, 3, 13);
  const int loop = client.at("hover", rec, 3, 4);
  const int function = client.at("hover", rec, 3, 10);
  const int nothing = client.at("hover", rec, 4, 0);
  const int definition = client.at("definition", rec, 3, 13);
  const int dimension = client.at("definition", hw, 2, 31);
  const int attributes = client.at("completion", hw, 2, 37);
  const int names = client.at("completion", rec, 3, 9);
  const int unknown = client.ask("textDocument/rename", {{"textDocument", {{"uri", rec}}}});
  const int other = client.ask("workspace/symbol", json::object());
  client.note("textDocument/didChange",
              {{"textDocument", {{"uri", hw}}},
               {"contentChanges", {{{"text", "%x = df.spatial_dim 4\n"}}}}});
  const int end = client.ask("shutdown", json::object());
  client.note("exit", json::object());
  const CommandResult result = client.run();
  EXPECT_EQ(result.exitCode, 0) << result.err;

  EXPECT_TRUE(client.answerTo(start)["capabilities"]["hoverProvider"]);
  EXPECT_EQ(client.diagnostics(rec), json::array());
  EXPECT_EQ(client.answerTo(tensor)["contents"]["value"], "`X[64]: f32`, input, 256 B");
  EXPECT_EQ(client.answerTo(loop)["contents"]["value"], "loop `i`: 64 iterations, parallel");
  EXPECT_NE(client.answerTo(function)["contents"]["value"].get<std::string>().find("**exp**"),
            std::string::npos);
  EXPECT_TRUE(client.answerTo(nothing).is_null());
  EXPECT_EQ(client.answerTo(definition)["range"]["start"], (json{{"line", 1}, {"character", 9}}));
  EXPECT_EQ(client.answerTo(dimension)["range"]["start"], (json{{"line", 1}, {"character", 0}}));
  const auto inMemory = labels(client.answerTo(attributes));
  EXPECT_TRUE(has(inMemory, "size") && has(inMemory, "bandwidth")) << client.answerTo(attributes);
  EXPECT_FALSE(has(inMemory, "clock")) << "an attribute of the cores";
  const auto inKernel = labels(client.answerTo(names));
  EXPECT_TRUE(has(inKernel, "select") && has(inKernel, "X") && has(inKernel, "N"));
  EXPECT_EQ(client.answerTo(unknown)["code"], -32601);
  EXPECT_EQ(client.answerTo(other)["code"], -32601);
  EXPECT_TRUE(client.answerTo(end).is_null());
  const json last = client.diagnostics(hw);
  ASSERT_EQ(last.size(), 1u) << last;
  EXPECT_EQ(last[0]["message"].get<std::string>().rfind("the description has no cores", 0), 0u);
}

TEST(Lsp, AnEndWithoutShutdownIsNoSuccess) {
  Client client;
  client.ask("initialize", json::object());
  EXPECT_EQ(client.run().exitCode, 1);
}

TEST(Lsp, WhatIsNoProtocolEndsIt) {
  for (const char* bytes :
       {"hello\r\n\r\n", "Content-Length: -3\r\n\r\n{}", "Content-Length: 99999999999\r\n\r\n",
        "Content-Length: 50\r\n\r\n{\"method\":\"x\"}", "\r\n\r\n", "\x00\xFF"}) {
    Client client;
    client.say(bytes);
    EXPECT_EQ(client.run().exitCode, 1) << bytes;
  }
  Client client;
  client.say(framed("[1, 2]"));
  client.say(framed("not json"));
  client.say(
      framed(R"({"id": {"a": 1}, "method": "textDocument/hover", "params": {"textDocument": 5}})"));
  const int end = client.ask("shutdown", json::object());
  client.note("exit", json::object());
  EXPECT_EQ(client.run().exitCode, 0);
  EXPECT_TRUE(client.answerTo(end).is_null());
}

}  // namespace
}  // namespace gridloom::test
