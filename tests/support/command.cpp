// SPDX-License-Identifier: Apache-2.0
#include "support/command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace gridloom::test {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void becomeCommand(const std::vector<std::string>& arguments,
                                const Surroundings& around, const std::string& out,
                                const std::string& err) {
  const int outFile = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int errFile = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(outFile, STDOUT_FILENO);
  dup2(errFile, STDERR_FILENO);
  if (around.prepare) around.prepare();
  const std::string program = around.program.empty() ? GRIDLOOM_COMMAND : around.program;
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  _exit(127);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "gridloom-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(m_path / name, std::ios::binary) << text;
  return path(name);
}

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(m_path)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

CommandResult runCommand(const std::vector<std::string>& arguments,
                         std::optional<std::chrono::milliseconds> interruptAfter) {
  Surroundings around;
  around.signalAfter = interruptAfter;
  around.signal = SIGINT;
  return runCommand(arguments, around);
}

CommandResult runCommand(const std::vector<std::string>& arguments, const Surroundings& around) {
  const TemporaryFolder folder;
  const std::string out = around.out.empty() ? folder.path("out") : around.out;
  const std::string err = folder.path("err");
  const pid_t child = fork();
  if (child == 0) becomeCommand(arguments, around, out, err);
  if (child < 0) throw std::runtime_error("cannot fork");
  if (around.signalAfter) {
    std::this_thread::sleep_for(*around.signalAfter);
    kill(child, around.signal);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          around.out.empty() ? readFile(out) : std::string(), readFile(err)};
}

std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace gridloom::test
