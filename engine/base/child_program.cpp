// SPDX-License-Identifier: Apache-2.0
#include "base/child_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace gridloom::base {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string contentOf(std::FILE* file) {
  std::string content;
  std::rewind(file);
  char block[1 << 14];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, file)) > 0;)
    content.append(block, n);
  return content;
}

std::optional<pid_t> start(const std::string& path, const std::vector<std::string>& arguments,
                           std::FILE* in, std::FILE* out, std::FILE* err) {
  std::vector<std::string> all{path};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawn(&child, path.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::nullopt;
  return child;
}

}  // namespace

std::optional<Ended> runProgram(const std::string& path, const std::vector<std::string>& arguments,
                                std::string_view input) {
  const File in(std::tmpfile()), out(std::tmpfile()), err(std::tmpfile());
  if (!in || !out || !err || std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() ||
      std::fflush(in.get()) != 0)
    return std::nullopt;
  std::rewind(in.get());
  const auto child = start(path, arguments, in.get(), out.get(), err.get());
  if (!child) return std::nullopt;
  int status = 0;
  while (waitpid(*child, &status, 0) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  return Ended{WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), contentOf(out.get()),
               contentOf(err.get())};
}

std::string siblingProgram(const std::string& name, const std::string& built) {
  std::error_code error;
  const auto beside = std::filesystem::path(ownProgram()).parent_path() / name;
  if (std::filesystem::is_regular_file(beside, error)) return beside.string();
  return std::filesystem::is_regular_file(built, error) ? built : std::string();
}

std::string ownProgram() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : path.string();
}

}  // namespace gridloom::base
