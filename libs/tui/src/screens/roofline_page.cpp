// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/probe/roofline_charts.hpp>
#include <ridge/report/roofline.hpp>

#include "screens/run_choice.hpp"
#include "screens/screen.hpp"

namespace ridge::tui {
namespace {

std::string device_of(const model::roofline_chart& chart) {
  auto title = chart.device.empty() ? std::string(name(chart.backend)) : chart.device;
  if (chart.threads > 0) title += fmt::format(", {} thread{}", chart.threads, chart.threads == 1 ? "" : "s");
  return title;
}

// Decades have one length, so a chart that is too high for its room must be narrower.
std::string roofline_text(const model::roofline_chart& chart, const room& space) {
  constexpr std::size_t narrowest = 44, step = 4;
  auto options = space.options();
  for (;;) {
    auto text = report::roofline_braille(chart, options);
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    if (space.rows == 0 || lines <= space.rows || options.columns < narrowest + step) return text;
    options.columns -= step;
  }
}

report::value positive(double number) {
  return number > 0 ? report::value(number) : report::value(std::monostate{});
}

report::sheet kernels_of(const model::roofline_chart& chart) {
  using report::unit;
  report::sheet sheet{.key = "kernels",
                      .title = "Kernels · " + device_of(chart),
                      .fields = {{.key = "mark", .header = "mark"},
                                 {.key = "kernel", .header = "kernel"},
                                 {.key = "intensity", .header = "FLOP/byte", .unit = unit::number},
                                 {.key = "flop_per_s", .header = "rate", .unit = unit::flop_per_s},
                                 {.key = "share", .header = "of roof", .unit = unit::percent},
                                 {.key = "bound", .header = "bound"},
                                 {.key = "headroom", .header = "headroom ×", .unit = unit::number},
                                 {.key = "bytes_per_s", .header = "bytes", .unit = unit::bytes_per_s},
                                 {.key = "next", .header = "next roof"}},
                      .empty = "No kernel of this run stands under these roofs."};
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const auto& p = chart.points[i];
    sheet.rows.push_back(
        {.values = {report::mark_of(i), p.kernel, positive(p.intensity), positive(p.flop_per_s),
                    positive(p.verdict.share * 100), std::string(name(p.verdict.bound)),
                    positive(p.verdict.headroom), positive(p.bytes_per_s), p.verdict.next}});
  }
  return sheet;
}

}  // namespace

result<page> roofline_page(workspace& work, const results::arguments& given) {
  const auto store = work.store();
  if (!store) return store.why();
  const auto run = chosen_run(**store, given.text("run"));
  if (!run) return run.why();
  const auto all = probe::roofline_of(*run, hardware::catalogue::embedded(), {.only = given.text("only")});
  page made{.schema = "ridge.tui.roofline/1",
            .context = fmt::format("run {} of {} · {}", short_id(run->id), short_time(run->started),
                                   run->environment.machine),
            .facts = {{"run", run->id}}};
  for (const auto& chart : all.charts) {
    made.panes.emplace_back(
        text_block{.title = "Chart · " + device_of(chart),
                   .text = [chart](const tui::room& space) { return roofline_text(chart, space); }});
    made.panes.emplace_back(kernels_of(chart));
  }
  if (all.charts.empty())
    made.notes = {"This run holds neither a ceiling nor a kernel: `ridge roofline` measures the ceilings."};
  return made;
}

}  // namespace ridge::tui
