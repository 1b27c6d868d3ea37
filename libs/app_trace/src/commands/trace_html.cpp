// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/base/units.hpp>
#include <ridge/trace_report/html_page.hpp>

#include "commands/trace_commands.hpp"
#include "pages/device_peaks.hpp"
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

int write_page(const app::context& context, const trace_html_options& o,
               const trace_report::html_content& content) {
  app::output_file file(o.output);
  std::uint64_t bytes = 0;
  const auto counts = trace_report::write_html(content, [&](std::string_view text) {
    bytes += text.size();
    file.write(text);
  });
  file.finish();
  const auto merged =
      counts.merged_below_ns == 0
          ? std::string()
          : fmt::format("; neighbours shorter than {} are drawn as one",
                        format_quantity(static_cast<double>(counts.merged_below_ns) / 1e9, "s"));
  context.tell(fmt::format("wrote {}: {}, {} events as {} boxes{}\n", o.output,
                           format_quantity(static_cast<double>(bytes), "B"),
                           format_count(static_cast<long long>(counts.events)),
                           format_count(static_cast<long long>(counts.boxes)), merged));
  return app::exit_code::good;
}

int html(const app::context& context, const trace_html_options& o) {
  const auto view = view_of(o.input, static_cast<std::size_t>(std::max(o.rows, 0)));
  if (!view) return context.refuse(view.why(), app::exit_code::usage);
  const auto with = diagnose_options_of(o.input, o.diagnosis);
  if (!with) return context.refuse(with.why(), app::exit_code::usage);
  const auto traces = open_traces(context, o.input);
  if (!traces) return context.refuse(traces.why(), app::exit_code::unavailable);
  std::vector<scope> scopes;
  for (const auto& t : *traces) {
    auto made = trace_report::scope_of(t, *view);
    if (!made) return context.refuse(made.why(), app::exit_code::usage);
    scopes.push_back(std::move(*made));
  }
  const auto placed = place(*traces, view->names);
  trace_report::html_content content{.title = title_of(*traces),
                                     .files = o.input.paths,
                                     .found = diagnosis_of(context, *traces, *with),
                                     .sections = sections_of(scopes, *traces, *view),
                                     .notes = placed.notes};
  auto counters = counters_section(scopes, o.diagnosis.peaks);
  if (!counters.pages.empty()) content.sections.insert(content.sections.begin(), std::move(counters));
  for (std::size_t i = 0; i < scopes.size(); ++i) content.traces.push_back({placed.all[i], scopes[i]});
  return write_page(context, o, content);
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
      .runs([&context, o] { return html(context, *o); });
}

}  // namespace ridge::app_trace
