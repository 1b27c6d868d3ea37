// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/trace/clock_alignment.hpp>
#include <ridge/trace/collectives.hpp>
#include <ridge/trace/merge.hpp>
#include <ridge/trace_report/perfetto.hpp>

#include "exit_code.hpp"
#include "output_file.hpp"
#include "trace_commands.hpp"
#include "trace_pages.hpp"

namespace ridge::app {
namespace {

struct options {
  trace_input from{};
  std::string output{};
};

std::string clock_text(const trace::merged_source& s) {
  const auto sure = s.clock.uncertainty_ns
                        ? "± " + format_quantity(static_cast<double>(*s.clock.uncertainty_ns) / 1e9, "s")
                        : std::string("uncertainty not known");
  return fmt::format("{}: offset {}, {}, by {} ({} collectives)", s.label,
                     format_quantity(static_cast<double>(s.clock.offset_ns) / 1e9, "s"), sure,
                     name(s.clock.source), s.clock.collectives);
}

int write_all(const context& in, const options& o, std::span<const trace_report::placed_trace> placed) {
  output_file file(o.output);
  const auto counts =
      trace_report::write_perfetto(placed, {}, [&](std::string_view text) { file.write(text); });
  file.finish();
  in.tell(fmt::format("wrote {}: {} events, {} arrows, {} counter values; {} on lanes of their own\n",
                      o.output, format_count(static_cast<long long>(counts.events)),
                      format_count(static_cast<long long>(counts.arrows)),
                      format_count(static_cast<long long>(counts.values)),
                      format_count(static_cast<long long>(counts.moved))));
  return exit_code::good;
}

int merge(const context& in, const options& o) {
  const auto names = communication_names_of(o.from);
  if (!names) return in.refuse(names.why(), exit_code::usage);
  const auto traces = open_traces(in, o.from);
  if (!traces) return in.refuse(traces.why(), exit_code::unavailable);
  const auto view =
      trace::merge(*traces, trace::align_clocks(*traces, trace::match_collectives(*traces, *names)));
  std::vector<trace_report::placed_trace> placed;
  for (const auto& s : view.sources) {
    in.tell(clock_text(s) + '\n');
    placed.push_back({.what = &(*traces)[s.trace], .clock = s.clock, .label = s.label});
  }
  for (const auto index : view.unaligned)
    in.tell(fmt::format("{}: nothing relates its clock to the others\n", (*traces)[index].source.path));
  return write_all(in, o, placed);
}

int perfetto(const context& in, const options& o) {
  const auto traces = open_traces(in, o.from);
  if (!traces) return in.refuse(traces.why(), exit_code::unavailable);
  std::vector<trace_report::placed_trace> placed;
  for (const auto& t : *traces)
    placed.push_back({.what = &t, .label = traces->size() > 1 ? fmt::format("trace {}", placed.size()) : ""});
  return write_all(in, o, placed);
}

void add_export(command& of, context& in, const std::string& verb, const std::string& summary,
                int (*run)(const context&, const options&)) {
  auto to = of.add(verb, summary);
  auto o = std::make_shared<options>();
  o->output = "trace.perfetto.json";
  add_trace_input(to, o->from);
  to.option("--output", o->output, "FILE", "The file to write (trace.perfetto.json)");
  to.runs([&in, o, run] { return run(in, *o); });
}

}  // namespace

void add_trace_exports(command& of, context& in) {
  add_export(of, in, "merge", "Put ranks on one clock and write them as one trace for ui.perfetto.dev",
             merge);
  add_export(of, in, "perfetto", "Write any trace for ui.perfetto.dev; nothing is dropped", perfetto);
}

}  // namespace ridge::app
