// SPDX-License-Identifier: Apache-2.0
#include "view/application.hpp"

#include <algorithm>
#include <utility>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>

#include "screens/run_choice.hpp"
#include "view/picture.hpp"

namespace ridge::tui {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
constexpr auto store_period = std::chrono::seconds(2);  // how often the store is asked for newer results

}  // namespace

application::application(services lent, const std::string& screen, settings given) : work_(std::move(lent)) {
  expects(screen_named(screen) != nullptr, "a screen of this name");
  const bool asks = screen_named(screen)->asks_first && given.empty();
  open(screen, std::move(given));
  if (asks) form_.emplace(here().which(), here().given());
}

void application::open(const std::string& name) {
  const auto* const which = screen_named(name);
  if (which == nullptr) return;
  message_.clear();
  if (visited_.open(*which) && which->asks_first) {
    form_complaint_.clear();
    form_.emplace(*which, here().given());
  }
}

void application::open(const std::string& name, settings given) {
  open(name);
  form_.reset();
  here().tell(std::move(given));
}

bool application::tick() {
  bool news = work_.run().read();
  const auto now = steady_clock::now();
  if (now - version_asked_ >= store_period) {
    version_asked_ = now;
    try {
      version_ = work_.version();
    } catch (const failure& why) {
      say(why.why().text());
      news = true;
    }
  }
  return here().refresh(work_, version_, now) || news;
}

int application::patience_ms() const {
  constexpr int calm = 1000, pending = 60;
  const auto& which = visited_.here().which();
  if (which.refresh_s > 0) return static_cast<int>(which.refresh_s * 1000);
  return which.follows.empty() ? calm : pending * 2;
}

grid application::picture(std::size_t columns, std::size_t rows) {
  const scene shown{.state = here(),
                    .over = over_screen_,
                    .prompts = form_ ? &*form_ : nullptr,
                    .form_complaint = form_complaint_,
                    .line = line_ ? &*line_ : nullptr,
                    .message = message_};
  auto drawn = tui::picture(shown, columns, rows).draw();
  page_rows_ = drawn.page_rows;
  return std::move(drawn.cells);
}

int application::descriptor() const { return work_.run_descriptor(); }

std::string application::take_copied() { return std::exchange(copied_, {}); }

bool application::take_redraw() { return std::exchange(redraw_, false); }

void application::refuse(const error& why) { say(why.text()); }

void application::quit() {
  if (work_.run().running() && !end_asked_) {
    end_asked_ = true;
    say("The run that was started here is going on: q again ends it. What it finished is kept.");
    return;
  }
  over_ = true;
}

void application::neighbour(int step) {
  auto& state = here();
  if (state.which().name == "series") {
    const auto pane = state.pane();
    state.choose_pane(0);
    state.move(step);
    state.choose_pane(pane);
    return;
  }
  const auto& known = state.which().parameters;
  if (std::ranges::find(known, "run", &results::parameter::key) == known.end())
    return say("[ and ] go from run to run on the screens 2, 4 and 5.");
  const auto store = work_.store();
  if (!store) return refuse(store.why());
  auto given = state.given();
  const auto next = neighbour_of(**store, given["run"], step);
  if (next.empty()) return say(step < 0 ? "This is the oldest run." : "This is the newest run.");
  given["run"] = next;
  state.tell(std::move(given));
}

void application::start_run(const std::vector<std::string>& words) {
  auto command = work_.run_command();
  command.insert(command.end(), words.begin(), words.end());
  if (words.empty()) return say("Say what to run: :run ch01 --profile minimal");
  if (work_.run_command().empty()) return say("This program cannot start runs.");
  const auto started = work_.run().start(command, "ridge run " + join(words, " "));
  if (!started) return refuse(started.why());
  end_asked_ = false;
  open("live");
}

}  // namespace ridge::tui
