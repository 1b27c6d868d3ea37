// SPDX-License-Identifier: Apache-2.0
#include "completion/completion.hpp"

#include <memory>

#include <ridge/app/exit_code.hpp>

#include "command_line/command_line.hpp"
#include "commands/commands.hpp"

namespace ridge::app {

void add_completion(command& parent, context& program) {
  auto shell = std::make_shared<std::string>();
  parent.add("completion", "Print a shell's completion script")
      .choice("SHELL", *shell, {"bash", "zsh", "fish"}, "Shell to write the script for")
      .required()
      .notes(
          "  bash: ridge completion bash > ~/.local/share/bash-completion/completions/ridge\n"
          "  zsh:  ridge completion zsh > \"${fpath[1]}/_ridge\"\n"
          "  fish: ridge completion fish > ~/.config/fish/completions/ridge.fish")
      .runs([&program, shell] {
        const auto tree = whole_tree(program);
        program.print(*shell == "bash"  ? bash_completion(tree)
                      : *shell == "zsh" ? zsh_completion(tree)
                                        : fish_completion(tree));
        return exit_code::good;
      });
}

}  // namespace ridge::app
