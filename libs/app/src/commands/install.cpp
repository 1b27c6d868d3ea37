// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/version.hpp>
#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>

#include "command_line/command_line.hpp"
#include "commands/commands.hpp"
#include "completion/completion.hpp"

namespace ridge::app {
namespace {

namespace fs = std::filesystem;

struct install_options {
  std::string prefix{};
  bool no_link = false;
};

void write_file(const context& program, const fs::path& path, const std::string& text) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  if (failed)
    throw io_failure("create", path.parent_path().string(), failed.value(),
                     "give --prefix a folder that you may write to");
  save_text(path.string(), text);
  program.print(fmt::format("wrote {}\n", path.string()));
}

// Links PREFIX/bin/ridge to this program, unless something else than a link is there or this program itself.
void link_program(const context& program, const fs::path& link) {
  const auto here = fs::read_symlink("/proc/self/exe");
  std::error_code ignored, failed;
  if (fs::equivalent(here, link, ignored)) return;
  const auto there = fs::symlink_status(link, ignored);
  if (fs::exists(there) && !fs::is_symlink(there)) {
    program.tell(fmt::format("ridge: {} is another program and stays as it is\n", link.string()));
    return;
  }
  fs::create_directories(link.parent_path(), failed);
  fs::remove(link, ignored);
  fs::create_symlink(here, link, failed);
  if (failed)
    throw io_failure("write", link.string(), failed.value(), "give --prefix a folder that you may write to");
  program.print(fmt::format("linked {} to {}\n", link.string(), here.string()));
}

bool is_on_path(const fs::path& folder) {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return false;
  std::error_code ignored;
  for (const auto one : split(path, ':'))
    if (fs::equivalent(folder, fs::path(one), ignored)) return true;
  return false;
}

int install(context& program, const install_options& o) {
  auto prefix = fs::path(o.prefix);
  if (prefix.empty()) {
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home != '/')
      return program.refuse({"HOME names no folder, so there is no ~/.local", "give --prefix DIR"},
                            exit_code::usage);
    prefix = fs::path(home) / ".local";
  }
  prefix = fs::absolute(prefix);
  const auto root = whole_tree(program);
  for (const auto& page : manual_pages(root, version()))
    write_file(program, prefix / "share/man/man1" / page.name, page.text);
  write_file(program, prefix / "share/bash-completion/completions" / root.name, bash_completion(root));
  write_file(program, prefix / "share/zsh/site-functions" / ('_' + root.name), zsh_completion(root));
  write_file(program, prefix / "share/fish/vendor_completions.d" / (root.name + ".fish"),
             fish_completion(root));
  if (o.no_link) return exit_code::good;
  link_program(program, prefix / "bin" / root.name);
  if (!is_on_path(prefix / "bin"))
    program.print(
        fmt::format("Programs of {0} are not found yet; add to the file that your shell reads first:\n"
                    "  export PATH=\"{0}:$PATH\"\n",
                    (prefix / "bin").string()));
  return exit_code::good;
}

}  // namespace

void add_install(command& parent, context& program) {
  auto o = std::make_shared<install_options>();
  parent.add("install", "Put this program on the PATH, with its manual and the completions of the shells")
      .option("--prefix", o->prefix, "DIR", "Folder that gets bin/ and share/ (~/.local)")
      .flag("--no-link", o->no_link, "Write only the manual and the completions")
      .notes(
          "  ridge install                      # for you alone\n"
          "  sudo ridge install --prefix /usr/local\n"
          "The program stays where it is; bin/ridge becomes a link to it. zsh reads the completion where "
          "share/zsh/site-functions is in its fpath.")
      .runs([&program, o] { return install(program, *o); });
}

}  // namespace ridge::app
