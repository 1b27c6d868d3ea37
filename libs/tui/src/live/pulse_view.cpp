// SPDX-License-Identifier: Apache-2.0
#include "live/pulse_view.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/tui/grid.hpp>

namespace ridge::tui {
namespace {

using measure::gpu_reading;
constexpr std::string_view unknown = "unknown";

std::string used_part(std::optional<double> used, std::optional<double> all) {
  if (!used || !all) return std::string(unknown);
  return fmt::format("{} of {}", format_quantity(*used, "B"), format_quantity(*all, "B"));
}

std::string throttle_words(const gpu_reading& gpu) {
  if (!gpu.throttled_by) return std::string(unknown);
  return gpu.throttled_by->empty() ? "nothing" : join(*gpu.throttled_by, ", ");
}

// "NVLink in 12 GB/s out 3 GB/s"; empty where neither is told.
std::string traffic_words(std::string_view name, std::optional<double> in, std::optional<double> out) {
  if (!in && !out) return {};
  const auto one = [](std::optional<double> rate) {
    return rate ? format_quantity(*rate, "B/s") : std::string(unknown);
  };
  return fmt::format("{} in {} out {}", name, one(in), one(out));
}

std::string gpu_line(std::size_t index, const gpu_reading& gpu, const tui::room& space) {
  auto text = fmt::format("GPU {}  {}", index, gauge(gpu.busy, 10));
  const auto add = [&](std::string_view words) {
    if (!words.empty() && display_width(text) + 2 + display_width(words) <= space.columns)
      text.append("  ").append(words);
  };
  if (gpu.power_w) add(format_quantity(*gpu.power_w, "W"));
  if (gpu.temperature_c) add(fmt::format("{:.0f} °C", *gpu.temperature_c));
  if (gpu.sm_clock_mhz) add(fmt::format("{:.0f} MHz", *gpu.sm_clock_mhz));
  if (gpu.memory_used_bytes) add(used_part(gpu.memory_used_bytes, gpu.memory_bytes));
  if (gpu.throttled_by && !gpu.throttled_by->empty())
    add(report::paint("held down by " + throttle_words(gpu), report::tone::doubtful, space.color));
  if (gpu.memory_bytes_per_s) add("at " + format_quantity(*gpu.memory_bytes_per_s, "B/s"));
  add(traffic_words("NVLink", gpu.link_received_bytes_per_s, gpu.link_sent_bytes_per_s));
  add(traffic_words("PCIe", gpu.received_bytes_per_s, gpu.sent_bytes_per_s));
  return text;
}

void add_point(report::chart_series& series, double seconds_ago, std::optional<double> share) {
  if (share) series.points.push_back({-seconds_ago, *share * 100, ""});
}

}  // namespace

std::string gauge(std::optional<double> share, std::size_t columns) {
  if (!share || !std::isfinite(*share)) return std::string(unknown);
  const double held = std::clamp(*share, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(std::lround(held * static_cast<double>(columns)));
  std::string bar = "▕";
  for (std::size_t i = 0; i < columns; ++i) bar += i < full ? "█" : " ";
  return fmt::format("{}▏{:3.0f} %", bar, held * 100);
}

std::string pulse_lines(const pulse_report& seen, const tui::room& space) {
  if (seen.pulses.empty()) return "looking at the machine ...\n";
  const auto& now = seen.pulses.back();
  auto text =
      "CPU    " + gauge(now.cpu_busy, 10) + "  memory " + used_part(now.memory_used_bytes, now.memory_bytes);
  if (now.cpu_stolen && *now.cpu_stolen >= 0.005)
    text += report::paint(fmt::format("  {:.0f} % stolen by other machines", *now.cpu_stolen * 100),
                          report::tone::doubtful, space.color);
  text += '\n';
  for (std::size_t i = 0; i < now.gpus.size(); ++i) text += gpu_line(i, now.gpus[i], space) + '\n';
  if (now.gpus.empty() && !seen.no_gpu.empty())
    text += report::paint(fitted("No GPU: " + one_line(seen.no_gpu), space.columns), report::tone::dim,
                          space.color) +
            '\n';
  return text;
}

report::chart pulse_chart(const pulse_report& seen) {
  report::chart chart{.title = "The last minute",
                      .x = {.label = "seconds ago"},
                      .y = {.label = "share of the time in work, percent"}};
  if (seen.pulses.empty()) return chart;
  const auto newest = seen.pulses.back().taken;
  report::chart_series cpu{.name = "CPUs"}, stolen{.name = "stolen"};
  std::vector<report::chart_series> gpus;
  for (const auto& one : seen.pulses) {
    const double ago = std::chrono::duration<double>(newest - one.taken).count();
    add_point(cpu, ago, one.cpu_busy);
    add_point(stolen, ago, one.cpu_stolen);
    for (std::size_t i = 0; i < one.gpus.size(); ++i) {
      if (i >= gpus.size()) gpus.push_back({.name = fmt::format("GPU {}", i)});
      add_point(gpus[i], ago, one.gpus[i].busy);
    }
  }
  const bool robbed =
      std::ranges::any_of(stolen.points, [](const report::chart_point& p) { return p.y >= 0.5; });
  chart.series.push_back(std::move(cpu));
  if (robbed) chart.series.push_back(std::move(stolen));
  for (auto& gpu : gpus) {
    if (!gpu.points.empty()) chart.series.push_back(std::move(gpu));
  }
  // The axis always reaches from 0 to 100, so that the eye can compare two moments.
  chart.series.push_back(
      {.name = "", .mark = report::chart_mark::points, .points = {{-60, 0, ""}, {0, 100, ""}}});
  return chart;
}

report::sheet gpu_sheet(const pulse_report& seen) {
  using report::unit;
  report::sheet sheet{.key = "gpus",
                      .title = "GPUs now",
                      .fields = {{.key = "index", .header = "GPU"},
                                 {.key = "name", .header = "name"},
                                 {.key = "busy", .header = "SM busy", .unit = unit::percent},
                                 {.key = "memory_busy", .header = "memory busy", .unit = unit::percent},
                                 {.key = "bandwidth", .header = "bandwidth", .unit = unit::percent},
                                 {.key = "memory_rate", .header = "memory B/s", .unit = unit::bytes_per_s},
                                 {.key = "power_w", .header = "power", .unit = unit::watts},
                                 {.key = "temperature", .header = "°C", .unit = unit::number},
                                 {.key = "sm_clock_mhz", .header = "SM MHz", .unit = unit::number},
                                 {.key = "memory", .header = "memory"},
                                 {.key = "held_by", .header = "held down by"},
                                 {.key = "power_limit_w", .header = "limit", .unit = unit::watts},
                                 {.key = "link_in", .header = "NVLink in", .unit = unit::bytes_per_s},
                                 {.key = "link_out", .header = "NVLink out", .unit = unit::bytes_per_s},
                                 {.key = "received", .header = "PCIe in", .unit = unit::bytes_per_s},
                                 {.key = "sent", .header = "PCIe out", .unit = unit::bytes_per_s},
                                 {.key = "address", .header = "address"}}};
  const auto known = [](std::optional<double> number, double factor = 1) {
    return number ? report::value(*number * factor) : report::value(std::monostate{});
  };
  const auto now = seen.pulses.empty() ? pulse{} : seen.pulses.back();
  for (std::size_t i = 0; i < now.gpus.size(); ++i) {
    const auto& g = now.gpus[i];
    const bool held = g.throttled_by && !g.throttled_by->empty();
    sheet.rows.push_back(
        {.values = {static_cast<std::int64_t>(i), g.name, known(g.busy, 100), known(g.memory_busy, 100),
                    known(g.memory_bandwidth_share, 100), known(g.memory_bytes_per_s), known(g.power_w),
                    known(g.temperature_c), known(g.sm_clock_mhz),
                    used_part(g.memory_used_bytes, g.memory_bytes), throttle_words(g), known(g.power_limit_w),
                    known(g.link_received_bytes_per_s), known(g.link_sent_bytes_per_s),
                    known(g.received_bytes_per_s), known(g.sent_bytes_per_s), g.address},
         .look = held ? report::tone::doubtful : report::tone::plain});
  }
  sheet.empty =
      seen.no_gpu.empty() ? "looking for GPUs ..." : "There is no GPU to watch: " + seen.no_gpu + ".";
  return sheet;
}

}  // namespace ridge::tui
