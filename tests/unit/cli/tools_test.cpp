// SPDX-License-Identifier: Apache-2.0
// What the command writes for tools that are not ours: Graphviz, JSON Schema, XML, librsvg, MLIR
// and zsh accept it. A test is skipped where its tool is not installed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "support/command.h"

namespace gridloom::test {
namespace {

constexpr const char* kTrace = GRIDLOOM_SOURCE_DIR "/tests/fuzz/corpus/trace/reads_and_writes.json";

bool isThere(const std::string& tool) {
  return std::system(("command -v " + tool + " > /dev/null 2>&1").c_str()) == 0;
}

/// Files of a small run in a folder of their own.
class Tools : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return m_folder.path(name); }
  /// Runs a verb on a small problem; the arguments name the file that it writes.
  void write(std::vector<std::string> arguments) const {
    for (const char* more : {"--hardware", "wormhole_4x8", "--kernel", "gemm", "--set", "M=256",
                             "--set", "N=192", "--set", "K=320"}) {
      arguments.emplace_back(more);
    }
    run(arguments);
  }
  void run(const std::vector<std::string>& arguments) const {
    const CommandResult run = runCommand(arguments);
    ASSERT_EQ(run.exitCode, 0) << run.err;
  }
  /// What a tool says when it fails; "" when it accepts its input.
  std::string findingsOf(const std::string& command) const {
    const std::string said = file("said.txt");
    if (std::system(("(" + command + ") > " + said + " 2>&1").c_str()) == 0) return {};
    const std::string text = readFile(said);
    return text.empty() ? "it failed without a word" : text;
  }

 private:
  TemporaryFolder m_folder;
};

TEST_F(Tools, GraphvizDrawsTokensAndNetworks) {
  if (!isThere("dot") || !isThere("neato")) GTEST_SKIP() << "graphviz is not installed";
  write({"export", "-f", "tokens", "-o", file("tokens.dot")});
  EXPECT_EQ(findingsOf("dot -Tsvg " + file("tokens.dot") + " -o " + file("tokens.svg")), "");
  write({"export", "-f", "dot", "-o", file("net.dot")});
  EXPECT_EQ(findingsOf("neato -n -Tsvg " + file("net.dot") + " -o " + file("net.svg")), "");
}

TEST_F(Tools, JsonSchemaAcceptsResults) {
  if (std::system("python3 -c 'import jsonschema' > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3-jsonschema is not installed";
  write({"explore", "--simulate", "--top", "2", "--json", file("exploration.json")});
  write({"simulate", "--json", file("simulation.json")});
  write({"export", "-f", "mapping", "-o", file("mapping.json")});
  write({"export", "-f", "programs", "-o", file("programs.json")});
  write({"explain", "--json", file("explanation.json")});
  write({"simulate", "--at", "1000", "--json", file("state.json")});
  std::ofstream(file("other.sched")) << "space(i->y) space(j->x)\n";
  write({"export", "-f", "sched", "-o", file("best.sched")});
  write({"explain", file("best.sched"), file("other.sched"), "--json", file("difference.json")});
  run({"count", "-H", "timeloop_2level", "-K", "timeloop_conv1d", "--nest", "timeloop_01_os",
       "--json", file("accesses.json")});
  std::ofstream(file("measured.csv")) << "hardware,kernel,M,N,K,cycles\n"
                                         "wormhole_4x8,gemm,256,192,320,20000\n";
  run({"study", file("measured.csv"), "--json", file("study.json")});
  run({"replay", "-H", "wormhole_n150", kTrace, "--json", file("replay.json")});
  std::ofstream(file("check.py")) << R"(import json, sys, warnings
warnings.simplefilter('ignore')
import jsonschema
folder, results = sys.argv[1], sys.argv[2]
import glob, os
schemas = {os.path.basename(f): json.load(open(f)) for f in glob.glob(folder + '/*.json')}
store = dict(schemas)
store.update({s['$id']: s for s in schemas.values() if '$id' in s})
forms = {'explanation': 'simulation'}
for name in ['exploration', 'simulation', 'mapping', 'programs', 'explanation', 'state',
             'difference', 'accesses', 'study', 'replay']:
    schema = schemas[forms.get(name, name) + '.json']
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    resolver = jsonschema.RefResolver('file://' + folder + '/' + name + '.json', schema, store=store)
    validator(schema, resolver=resolver).validate(json.load(open(results + '/' + name + '.json')))
)";
  EXPECT_EQ(findingsOf("python3 " + file("check.py") +
                       " " GRIDLOOM_SOURCE_DIR "/resources/docs/schema " + file("")),
            "");
}

TEST_F(Tools, XmlAndPicturesAreWellFormed) {
  if (!isThere("xmllint")) GTEST_SKIP() << "libxml2-utils is not installed";
  write({"explore", "--top", "2", "--json", file("before.json"), "--html", file("page.html")});
  write({"explore", "--top", "2", "--baseline", file("before.json"), "--tolerance", "2%", "--junit",
         file("report.xml")});
  EXPECT_EQ(findingsOf("xmllint --noout " + file("report.xml")), "");
  const std::string page = readFile(file("page.html"));
  int figures = 0;
  for (std::size_t at = 0; (at = page.find("<svg", at)) != std::string::npos; ++figures) {
    const std::size_t end = page.find("</svg>", at) + 6;
    std::string figure = page.substr(at, end - at);
    // Within a page, the name space goes without saying.
    if (figure.find("xmlns=") == std::string::npos)
      figure.insert(4, " xmlns=\"http://www.w3.org/2000/svg\"");
    std::ofstream(file("figure.svg")) << figure;
    EXPECT_EQ(findingsOf("xmllint --noout " + file("figure.svg")), "");
    if (isThere("rsvg-convert")) {
      EXPECT_EQ(findingsOf("rsvg-convert " + file("figure.svg") + " -o " + file("figure.png")), "");
    }
    at = end;
  }
  EXPECT_GT(figures, 0);
}

TEST_F(Tools, ABrowserShowsReports) {
  if (!isThere("chromium")) GTEST_SKIP() << "chromium is not installed";
  write({"explore", "--top", "2", "--html", file("page.html")});
  const std::string browser = "HOME=" + file("") +
                              " timeout 60 chromium --headless --no-sandbox "
                              "--disable-gpu --user-data-dir=" +
                              file("profile") + " ";
  EXPECT_EQ(findingsOf(browser + "--window-size=1200,2400 --screenshot=" + file("page.png") +
                       " file://" + file("page.html")),
            "");
  EXPECT_GT(readFile(file("page.png")).size(), 20'000u) << "an empty page is smaller";
  // Nothing is repaired: what the browser has read holds all figures and no script.
  EXPECT_EQ(findingsOf(browser + "--dump-dom file://" + file("page.html") + " > " +
                       file("dom.html") + " 2> /dev/null"),
            "");
  const std::string page = readFile(file("page.html")), read = readFile(file("dom.html"));
  const auto count = [](const std::string& text, const std::string& what) {
    int found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  for (const char* what : {"<svg", "<rect", "<table", "<td", "<script"}) {
    EXPECT_EQ(count(read, what), count(page, what)) << what;
  }
}

TEST_F(Tools, ZshReadsItsCompletion) {
  if (!isThere("zsh")) GTEST_SKIP() << "zsh is not installed";
  const CommandResult script = runCommand({"completion", "zsh"});
  ASSERT_EQ(script.exitCode, 0);
  std::ofstream(file("_gridloom")) << script.out;
  EXPECT_EQ(findingsOf("zsh -n " + file("_gridloom")), "");
  EXPECT_EQ(findingsOf("zsh -fc 'fpath=(" + file("") +
                       " $fpath); autoload -Uz compinit; "
                       "compinit -u -D; [[ ${_comps[gridloom]} == _gridloom ]]'"),
            "");
}

}  // namespace
}  // namespace gridloom::test
