// SPDX-License-Identifier: Apache-2.0
#include "../completion.hpp"

#include <memory>

#include <CLI/App.hpp>

#include "../command_line.hpp"
#include "../exit_code.hpp"
#include "commands.hpp"

namespace ridge::app {

void add_completion(CLI::App& to, context& in) {
  auto& command = *to.add_subcommand("completion", "Print a shell's completion script");
  auto shell = std::make_shared<std::string>();
  add_choice(command, "SHELL", *shell, {"bash", "zsh", "fish"}, "The shell").required();
  command.footer(
      "  bash: ridge completion bash > ~/.local/share/bash-completion/completions/ridge\n"
      "  zsh:  ridge completion zsh > \"${fpath[1]}/_ridge\"\n"
      "  fish: ridge completion fish > ~/.config/fish/completions/ridge.fish");
  command.callback([&in, &to, shell] {
    in.chosen = [&in, &to, shell] {
      const auto tree = tree_of(to);
      in.print(*shell == "bash" ? bash_completion(tree) : *shell == "zsh" ? zsh_completion(tree) : fish_completion(tree));
      return exit_code::good;
    };
  });
}

}  // namespace ridge::app
