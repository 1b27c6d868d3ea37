// SPDX-License-Identifier: Apache-2.0
#include "pages/front_page.hpp"

#include <chrono>

#include <ridge/app/exit_code.hpp>
#include <ridge/trace/choose_steps.hpp>

#include "pages/trace_pages.hpp"

namespace ridge::app_trace {
namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

result<trace::fleet_window> window_of(const trace::trace& t, const std::string& steps) {
  if (steps.empty()) return trace::steady_window_of(t);
  const auto chosen = trace::choose_steps(trace::steps_of(t), steps);
  if (!chosen) return error{t.source.path + ": " + chosen.why().message, chosen.why().remedy};
  return trace::fleet_window{trace::window_of(*chosen), static_cast<std::int64_t>(chosen->size())};
}

// Takes traces as they are read: one alone is kept for its own page, several are surveyed and closed.
class front_page {
 public:
  front_page(trace_report::view view, int ranks_per_node)
      : view_(std::move(view)), survey_({.names = view_.names, .ranks_per_node = ranks_per_node}) {}

  void take(trace::trace&& t) {
    if (refused_) return;
    if (survey_.size() == 0 && !first_) {
      first_ = std::move(t);
      return;
    }
    if (first_) refused_ = survey_trace(survey_, *first_, view_.steps);
    first_.reset();
    if (!refused_) refused_ = survey_trace(survey_, t, view_.steps);
  }

  [[nodiscard]] const std::optional<error>& refused() const { return refused_; }

  [[nodiscard]] result<report::document> shown(
      std::size_t rows, const std::function<result<report::document>(const trace_report::scope&)>& page) {
    if (!first_) return trace_report::ranks_page(survey_.report(), rows);
    const auto scope = trace_report::scope_of(*first_, view_);
    return scope ? page(*scope) : result<report::document>(scope.why());
  }

 private:
  trace_report::view view_;
  trace::rank_survey survey_;
  std::optional<trace::trace> first_{};
  std::optional<error> refused_{};
};

}  // namespace

std::optional<error> survey_trace(trace::rank_survey& survey, const trace::trace& t,
                                  const std::string& steps) {
  const auto window = window_of(t, steps);
  if (!window) return window.why();
  survey.take(t, *window);
  return std::nullopt;
}

int show_front_page(const app::context& context, const trace_input& input, const front_choice& choice,
                    const std::function<result<report::document>(const trace_report::scope&)>& page) {
  auto view = view_of(input, choice.rows);
  if (!view) return context.refuse(view.why(), app::exit_code::usage);
  const auto start = std::chrono::steady_clock::now();
  front_page front(std::move(*view), choice.ranks_per_node);
  const auto opened =
      open_each_trace(context, input, [&front](trace::trace&& t) { front.take(std::move(t)); });
  if (!opened) return context.refuse(opened.why(), app::exit_code::unavailable);
  if (front.refused()) return context.refuse(*front.refused(), app::exit_code::usage);
  const auto opened_in_ms = milliseconds_since(start);
  const bool all = choice.verbose || input.json || input.csv || !input.table.empty();
  auto made = front.shown(all ? 0 : choice.rows, page);
  if (!made) return context.refuse(made.why(), app::exit_code::usage);
  made->facts.emplace_back("opened_in_ms", opened_in_ms);
  return print_documents(context, input, {*made});
}

}  // namespace ridge::app_trace
