// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <unistd.h>

#include <array>

#include <ridge/tui/tui.hpp>

#include "terminal/curses_terminal.hpp"
#include "view/application.hpp"

namespace ridge::tui {
namespace {

void empty_pipe(int descriptor) {
  std::array<char, 64> bytes{};
  while (read(descriptor, bytes.data(), bytes.size()) > 0) {
  }
}

// Waits for a key, a signal, the output of a run, or until something is due; returns whether the terminal is
// still there.
bool wait(const curses_terminal&, terminal_rescue& rescue, const application& shown) {
  std::array<pollfd, 3> watched{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{rescue.descriptor(), POLLIN, 0},
                                pollfd{shown.descriptor(), POLLIN, 0}};
  const int count = poll(watched.data(), watched.size(), shown.patience_ms());
  if (count > 0 && (watched[1].revents & POLLIN) != 0) empty_pipe(rescue.descriptor());
  return count <= 0 || (watched[0].revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

}  // namespace

result<ending> run_screens(services lent, const invocation& first, bool with_color) {
  // The terminal is given back before the application ends what it started, which may take seconds.
  application shown(std::move(lent), first.screen, first.settings);
  auto opened = curses_terminal::open();
  if (!opened) return opened.why();
  auto& terminal = **opened;
  if (!with_color || !terminal.has_colors()) shown.use(theme::bold);
  for (;;) {
    shown.tick();
    const auto [columns, rows] = terminal.size();
    if (shown.take_redraw()) terminal.begin_anew();
    terminal.show(shown.picture(columns, rows), shown.colors());
    if (const auto text = shown.take_copied(); !text.empty()) terminal.copy(text);
    if (shown.over()) return ending::quit;
    if (!wait(terminal, terminal.rescue(), shown)) return ending::interrupted;
    const auto seen = terminal_rescue::take();
    if (seen.end) return ending::interrupted;
    if (seen.suspend) terminal.suspend();
    if (seen.continued || seen.resized) terminal.begin_anew();
    for (const auto& pressed : terminal.keys()) {
      shown.press(pressed);
      shown.tick();  // the next key is meant for what this one opens
    }
  }
}

}  // namespace ridge::tui
