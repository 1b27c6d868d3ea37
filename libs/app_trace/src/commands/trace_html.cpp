// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/base/units.hpp>
#include <ridge/trace_report/html_page.hpp>
#include <ridge/trace_report/ranks_html.hpp>

#include "commands/trace_commands.hpp"
#include "pages/device_peaks.hpp"
#include "pages/front_page.hpp"
#include "pages/placed_traces.hpp"
#include "pages/trace_diagnosis.hpp"
#include "pages/trace_pages.hpp"

namespace ridge::app_trace {
namespace {

using trace_report::html_section;
using trace_report::scope;

struct trace_html_options {
  trace_input input{};
  diagnosis_input diagnosis{};
  int rows = 100;
  bool ranks = false, each = false;
  int ranks_per_node = 0;
  std::string output{"trace.html"};
};

html_section section(const std::string& title, std::span<const scope> scopes,
                     const std::function<report::document(const scope&)>& page) {
  html_section made{.title = title};
  for (const auto& s : scopes) made.pages.push_back(page(s));
  return made;
}

std::vector<html_section> sections_of(std::span<const scope> scopes, std::span<const trace::trace> traces,
                                      const trace_report::view& view) {
  return {section("Kernels", scopes, [](const scope& s) { return trace_report::kernels_page(s); }),
          section("Idle", scopes, trace_report::idle_page),
          section("Launches", scopes, trace_report::launches_page),
          section("Copies", scopes, trace_report::copies_page),
          {.title = "Communication", .pages = {trace_report::communication_page(traces, view)}},
          section("Steps", scopes, trace_report::steps_page),
          section("Waits", scopes, trace_report::waits_page),
          section("Input", scopes, trace_report::summary_page)};
}

// Adds pages for traces whose kernels' counters were collected.
html_section counters_section(std::span<const scope> scopes, const peaks_choice& choice) {
  html_section made{.title = "Counters"};
  for (const auto& s : scopes) {
    const auto peaks = peaks_for(*s.source, choice);
    if (!s.source->profiled_kernels.empty() && peaks)
      made.pages.push_back(trace_report::counters_page(s, *peaks));
  }
  return made;
}

std::string title_of(std::span<const trace::trace> traces) {
  const auto& path = traces.front().source.path;
  auto name = path.substr(path.rfind('/') + 1);
  if (traces.size() == 1) return name;
  const bool one_file = std::ranges::all_of(traces, [&](const auto& t) { return t.source.path == path; });
  return one_file ? fmt::format("{}, {} traces", name, traces.size())
                  : fmt::format("{} and {} more", name, traces.size() - 1);
}

// Writes a file through `write` and returns its size.
std::uint64_t write_file(const std::string& path,
                         const std::function<void(const std::function<void(std::string_view)>&)>& write) {
  app::output_file file(path);
  std::uint64_t bytes = 0;
  write([&](std::string_view text) {
    bytes += text.size();
    file.write(text);
  });
  file.finish();
  return bytes;
}

void write_page(const app::context& context, const std::string& path,
                const trace_report::html_content& content) {
  trace_report::html_counts counts;
  const auto bytes =
      write_file(path, [&](const auto& out) { counts = trace_report::write_html(content, out); });
  const auto merged =
      counts.merged_below_ns == 0
          ? std::string()
          : fmt::format("; neighbours shorter than {} are drawn as one",
                        format_quantity(static_cast<double>(counts.merged_below_ns) / 1e9, "s"));
  context.tell(fmt::format("wrote {}: {}, {} events as {} boxes{}\n", path,
                           format_quantity(static_cast<double>(bytes), "B"),
                           format_count(static_cast<long long>(counts.events)),
                           format_count(static_cast<long long>(counts.boxes)), merged));
}

// How the traces of a command are looked at.
struct html_choice {
  trace_report::view view{};
  trace::diagnose_options diagnosis{};
};

result<html_choice> choice_of(const trace_html_options& o) {
  auto view = view_of(o.input, static_cast<std::size_t>(std::max(o.rows, 0)));
  if (!view) return view.why();
  auto with = diagnose_options_of(o.input, o.diagnosis);
  if (!with) return with.why();
  return html_choice{std::move(*view), std::move(*with)};
}

// Writes one page about these traces. Returns which of the chosen steps they do not have.
std::optional<error> write_traces(const app::context& context, const trace_html_options& o,
                                  const html_choice& choice, std::span<const trace::trace> traces,
                                  const std::string& path) {
  std::vector<scope> scopes;
  for (const auto& t : traces) {
    auto made = trace_report::scope_of(t, choice.view);
    if (!made) return made.why();
    scopes.push_back(std::move(*made));
  }
  const auto placed = place(traces, choice.view.names);
  trace_report::html_content content{.title = title_of(traces),
                                     .files = o.input.paths,
                                     .found = diagnosis_of(context, traces, choice.diagnosis),
                                     .sections = sections_of(scopes, traces, choice.view),
                                     .notes = placed.notes};
  auto counters = counters_section(scopes, o.diagnosis.peaks);
  if (!counters.pages.empty()) content.sections.insert(content.sections.begin(), std::move(counters));
  for (std::size_t i = 0; i < scopes.size(); ++i) content.traces.push_back({placed.all[i], scopes[i]});
  write_page(context, path, content);
  return std::nullopt;
}

// A page of ranks filters its waits by rank, so that it holds more of them than a page shows of one.
std::size_t most_waits(const trace_html_options& o) {
  constexpr std::size_t times = 20;
  return times * static_cast<std::size_t>(std::max(o.rows, 0));
}

// Takes traces as they are read, surveys them, and with --each writes the page of each beside that of all.
class ranks_writer {
 public:
  ranks_writer(const app::context& context, const trace_html_options& o, const html_choice& choice)
      : context_(context),
        o_(o),
        choice_(choice),
        survey_({.names = choice.view.names, .ranks_per_node = std::max(o.ranks_per_node, 0)}) {}

  void take(const trace::trace& t) {
    if (refused_) return;
    refused_ = survey_trace(survey_, t, o_.input.steps);
    if (refused_ || !o_.each) return;
    const auto path = page_of(t);
    pages_.push_back(path.filename().string());
    refused_ = write_traces(context_, o_, choice_, {&t, 1}, path.string());
  }

  [[nodiscard]] const std::optional<error>& refused() const { return refused_; }

  void write() const {
    const auto survey = survey_.report();
    const auto bytes = write_file(o_.output, [&](const auto& out) {
      trace_report::write_ranks_html(
          {.title = fmt::format("{} traces of {}", survey_.size(), o_.input.paths.front()),
           .survey = survey,
           .files = o_.input.paths,
           .pages = pages_},
          out, most_waits(o_));
    });
    context_.tell(fmt::format("wrote {}: {}, {} ranks\n", o_.output,
                              format_quantity(static_cast<double>(bytes), "B"),
                              format_count(static_cast<long long>(survey.ranks.size()))));
  }

 private:
  // "ranks-rank-3.html" beside "ranks.html"; two traces of one rank have pages of their own.
  [[nodiscard]] std::filesystem::path page_of(const trace::trace& t) {
    const std::filesystem::path all(o_.output);
    const auto own = t.source.rank >= 0 ? fmt::format("{}-rank-{}", all.stem().string(), t.source.rank)
                                        : fmt::format("{}-trace-{}", all.stem().string(), pages_.size());
    const bool fresh = names_.insert(own).second;
    return all.parent_path() / (own + (fresh ? "" : fmt::format("-{}", pages_.size())) + ".html");
  }

  const app::context& context_;
  const trace_html_options& o_;
  const html_choice& choice_;
  trace::rank_survey survey_;
  std::vector<std::string> pages_{};
  std::set<std::string> names_{};
  std::optional<error> refused_{};
};

int html_of_ranks(const app::context& context, const trace_html_options& o, const html_choice& choice) {
  ranks_writer ranks(context, o, choice);
  const auto opened = open_each_trace(context, o.input, [&](trace::trace&& t) { ranks.take(t); });
  if (!opened) return context.refuse(opened.why(), app::exit_code::unavailable);
  if (ranks.refused()) return context.refuse(*ranks.refused(), app::exit_code::usage);
  ranks.write();
  return app::exit_code::good;
}

int html(const app::context& context, const trace_html_options& o) {
  const auto choice = choice_of(o);
  if (!choice) return context.refuse(choice.why(), app::exit_code::usage);
  if (o.ranks || o.each) return html_of_ranks(context, o, *choice);
  const auto traces = open_traces(context, o.input);
  if (!traces) return context.refuse(traces.why(), app::exit_code::unavailable);
  if (const auto why = write_traces(context, o, *choice, *traces, o.output))
    return context.refuse(*why, app::exit_code::usage);
  return app::exit_code::good;
}

}  // namespace

void add_trace_html(app::command& command, app::context& context) {
  auto& to =
      command.add("html", "One page to look at: timeline, findings, tables; opens from disk in a browser");
  auto o = std::make_shared<trace_html_options>();
  add_trace_input(to, o->input);
  add_diagnosis_input(to, o->diagnosis);
  to.option("--rows", o->rows, "N", "Rows of long tables (100); 0: all")
      .option("--output", o->output, "FILE", "The file to write (trace.html)")
      .flag("--ranks", o->ranks,
            "A page of the ranks of a folder instead of their timelines: one trace is held at a time")
      .flag("--each", o->each, "As --ranks, and the page of each rank beside it, linked")
      .option("--ranks-per-node", o->ranks_per_node, "N",
              "Of --ranks: ranks 0 to N-1 share the first node, and so on")
      .runs([&context, o] { return html(context, *o); });
}

}  // namespace ridge::app_trace
