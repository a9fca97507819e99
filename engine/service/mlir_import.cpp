// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>

#include "service/workspace.h"

extern char** environ;

namespace gridloom::service {

namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Beside this program, where it is installed; else where it was built.
fs::path importProgram() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path beside = self.parent_path() / "gridloom-import";
  if (!error && fs::is_regular_file(beside, error)) return beside;
  const fs::path built = GRIDLOOM_IMPORT_PROGRAM;
  return fs::is_regular_file(built, error) ? built : fs::path();
}

std::string contentOf(std::FILE* file) {
  std::string content;
  std::rewind(file);
  char block[1 << 14];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, file)) > 0;)
    content.append(block, n);
  return content;
}

/// The exit status, or minus the signal that ended it.
int run(const fs::path& program, const std::vector<std::string>& args, std::FILE* in,
        std::FILE* out) {
  std::vector<char*> argv;
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

base::Diagnostic findingAt(const base::SourceRef& text, const std::string& answer) {
  std::istringstream in(answer);
  std::uint32_t line = 0, column = 0;
  std::string message, hint;
  in >> line >> column;
  in.ignore();
  std::getline(in, message);
  std::getline(in, hint);
  if (line == 0) return base::plainError(text->name() + ": " + message, hint);
  const std::string_view shown = text->line(line);
  const auto begin =
      static_cast<std::uint32_t>(shown.data() - text->text().data()) +
      std::min(column == 0 ? 0 : column - 1, static_cast<std::uint32_t>(shown.size()));
  std::uint32_t end = begin;
  while (end < text->text().size() && std::strchr(" \t\n(),:", text->text()[end]) == nullptr) ++end;
  return base::errorAt(text, {begin, std::max(end, begin + 1)}, message, hint);
}

}  // namespace

bool isMlir(const base::SourceText& text) { return text.name().ends_with(".mlir"); }

base::Result<base::SourceRef>
importMlir(const base::SourceRef& text,
           const std::vector<std::pair<std::string, std::int64_t>>& set) {
  const fs::path program = importProgram();
  if (program.empty())
    return base::plainError(text->name() + ": this Gridloom was built without MLIR",
                            "install libmlir-19-dev, mlir-19-tools and llvm-19-dev, and build it "
                            "again");
  const File in(std::tmpfile()), out(std::tmpfile());
  const std::string_view content = text->text();
  if (!in || !out || std::fwrite(content.data(), 1, content.size(), in.get()) != content.size() ||
      std::fflush(in.get()) != 0)
    return base::plainError("no temporary file can be written", "free some space in /tmp");
  std::rewind(in.get());
  std::vector<std::string> args{program.string(), text->name()};
  for (const auto& [name, value] : set) args.push_back(fmt::format("{}={}", name, value));
  const int status = run(program, args, in.get(), out.get());
  const std::string answer = contentOf(out.get());
  if (status == 0) return base::makeSource(text->name() + ".rec", answer);
  if (status == 2) return findingAt(text, answer);
  if (status == -SIGXCPU)
    return base::plainError(text->name() + ": reading it takes longer than a minute",
                            "split the file");
  return base::plainError(fmt::format("{}: the reader of MLIR ended by {} {}", text->name(),
                                      status < 0 ? "signal" : "exit status", std::abs(status)),
                          "the file exceeds what MLIR 19 can parse; `mlir-opt-19` says more");
}

}  // namespace gridloom::service
