// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>

#include "live/pulse.hpp"
#include "live/pulse_view.hpp"
#include "live/started_run.hpp"

namespace ridge::tui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(cpu_ticks, counts_waiting_as_rest_and_theft_apart) {
  const auto ticks = cpu_ticks_of("cpu  100 1 50 800 20 3 4 22 0 0");
  EXPECT_DOUBLE_EQ(ticks.busy, 158);
  EXPECT_DOUBLE_EQ(ticks.stolen, 22);
  EXPECT_DOUBLE_EQ(ticks.all, 1000);
  EXPECT_DOUBLE_EQ(cpu_ticks_of("").all, 0);
}

// Two GPUs, of which the second tells little.
class two_gpus final : public measure::gpu_monitor {
 public:
  std::string_view unavailable_because() const override { return ""; }
  std::vector<measure::gpu_reading> read() override {
    return {{.name = "NVIDIA H100",
             .address = "0000:1b:00.0",
             .busy = 0.5,
             .memory_used_bytes = 1 << 30,
             .memory_bytes = 80.0 * (1 << 30),
             .sm_clock_mhz = 1980,
             .power_w = 350,
             .temperature_c = 61,
             .received_bytes_per_s = 2e9,
             .link_received_bytes_per_s = 150e9,
             .link_sent_bytes_per_s = 0,
             .memory_bandwidth_share = 0.4,
             .memory_bytes_per_s = 1.34e12,
             .throttled_by = std::vector<std::string>{"power cap"}},
            {.name = "NVIDIA\x1b[2J", .address = "0000:1c:00.0"}};
  }
};

TEST(pulse_meter, watches_while_it_is_asked) {
  pulse_meter meter([] { return std::make_unique<two_gpus>(); });
  auto seen = meter.report();
  for (int i = 0; i < 200 && seen.pulses.size() < 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    seen = meter.report();
  }
  ASSERT_GE(seen.pulses.size(), 2U);
  EXPECT_EQ(seen.no_gpu, "");
  const auto lines = pulse_lines(seen, {.columns = 100});
  EXPECT_THAT(
      lines,
      HasSubstr(
          "GPU 0  ▕█████     ▏ 50 %  350 W  61 °C  1980 MHz  1.00 GiB of 80.0 GiB  held down by power cap"));
  EXPECT_THAT(lines, HasSubstr("GPU 1  unknown\n"));
  EXPECT_THAT(
      pulse_lines(seen, {.columns = 190}),
      HasSubstr("power cap  at 1.34 TB/s  NVLink in 150 GB/s out 0 B/s  PCIe in 2.00 GB/s out unknown"));
  const auto sheet = gpu_sheet(seen);
  ASSERT_EQ(sheet.rows.size(), 2U);
  EXPECT_EQ(sheet.rows[0].look, report::tone::doubtful);
  EXPECT_EQ(report::shown(sheet.rows[1].values[2], sheet.fields[2].unit), "");  // not told: never 0
  const auto chart = pulse_chart(seen);
  const auto named = [&](std::string_view name) {
    return std::ranges::any_of(chart.series, [&](const auto& s) { return s.name == name; });
  };
  EXPECT_TRUE(named("GPU 0"));
  EXPECT_FALSE(named("GPU 1"));  // it told no share: no line at 0
}

TEST(pulse_meter, says_why_there_is_no_gpu) {
  pulse_meter meter({});
  auto seen = meter.report();
  for (int i = 0; i < 200 && seen.pulses.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    seen = meter.report();
  }
  EXPECT_EQ(seen.no_gpu, "this build reads no GPU");
  EXPECT_THAT(gpu_sheet(seen).empty, HasSubstr("this build reads no GPU"));
  EXPECT_THAT(pulse_lines(seen, {.columns = 80}), HasSubstr("No GPU: this build reads no GPU"));
}

TEST(output_lines, keeps_the_newest_form_of_a_line_and_drops_sequences) {
  output_lines lines;
  lines.add("first\r\n\x1b[1mbold\x1b[0m\n10 %\r");
  lines.add("20 %\r30 %");
  EXPECT_THAT(lines.lines(), ElementsAre("first", "bold"));
  EXPECT_EQ(lines.last(), "30 %");
  lines.add("\x1b[");  // a sequence may come in two pieces
  lines.add("Kx");
  EXPECT_EQ(lines.last(), "30 %x");
}

TEST(started_run, reads_a_program_to_its_end) {
  started_run run;
  ASSERT_TRUE(run.start({"sh", "-c", "echo one; test -t 2 && echo two >&2; exit 3"}, "a script"));
  EXPECT_FALSE(run.start({"true"}, "true"));
  for (int i = 0; i < 500 && run.running(); ++i) {
    run.read();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(run.exit_code(), 3);
  EXPECT_THAT(run.output().lines(), ElementsAre("one", "two"));
  ASSERT_TRUE(run.start({"/no/such/program"}, "nothing"));
  for (int i = 0; i < 500 && run.running(); ++i) {
    run.read();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(run.exit_code(), 127);
}

TEST(started_run, ends_its_program_as_ctrl_c_does) {
  const auto begun = std::chrono::steady_clock::now();
  {
    started_run run;
    ASSERT_TRUE(run.start({"sleep", "60"}, "sleep"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

}  // namespace
}  // namespace ridge::tui
