// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ridge/trace/counters.hpp>
#include <ridge/trace/importer.hpp>
#include <ridge/trace/metric_unit.hpp>

namespace ridge::backends::trace_ncu_csv {
const trace::importer& ncu_csv();

namespace {

using trace::flaw;

result<trace::trace> read_result(std::string_view text) {
  return ncu_csv().read(*trace::source_of(text), {.path = "t.csv"}, {});
}

trace::trace read(std::string_view text) { return std::move(read_result(text)).value(); }

const std::string details_header =
    R"x("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value")x";

std::string row(std::string_view metric, std::string_view unit, std::string_view value, int id = 0) {
  return '"' + std::to_string(id) +
         R"x(","52","app","127.0.0.1","k<float>(int, int)","1","7","(32, 8, 1)","(64, 4, 2)","0","9.0","S",")x" +
         std::string(metric) + "\",\"" + std::string(unit) + "\",\"" + std::string(value) + "\"\n";
}

TEST(ncu_csv, reads_details_below_a_mark_and_other_output) {
  const auto t =
      read("\xEF\xBB\xBF==PROF== Connected to process 52 (app)\r\ntime: 3 ms, 5\n" + details_header + "\r\n" +
           row("dram__bytes_read.sum", "byte", "54,207,744") + row("sm__throughput.pct", "%", "6.40"));
  ASSERT_EQ(t.profiled_kernels.size(), 1U);
  const auto& k = t.profiled_kernels[0];
  EXPECT_EQ(t.names[k.name], "k<float>(int, int)");
  EXPECT_EQ(k.process, 52);
  EXPECT_EQ(k.stream, 7);
  EXPECT_EQ(k.grid[0], 64U);
  EXPECT_EQ(k.grid[2], 2U);
  EXPECT_EQ(k.block[1], 8U);
  ASSERT_EQ(t.kernel_metrics.size(), 2U);
  EXPECT_EQ(trace::metric_of(t, 0, "dram__bytes_read.sum"), 54207744);
  EXPECT_EQ(trace::metric_of(t, 0, "sm__throughput.pct"), 6.4);
  ASSERT_EQ(t.devices.size(), 1U);
  EXPECT_EQ(t.devices[0].compute_major, 9);
  EXPECT_TRUE(t.quality.defects.empty());
}

TEST(ncu_csv, scaled_units_become_their_base) {
  const auto t = read(details_header + "\n" + row("gpu__time_duration.sum", "msecond", "1.25") +
                      row("dram__bytes_read.sum", "Mbyte", "54.2") +
                      row("smsp__cycles_elapsed.avg.per_second", "cycle/nsecond", "1.5"));
  EXPECT_EQ(trace::metric_of(t, 0, "gpu__time_duration.sum"), 1'250'000);
  EXPECT_DOUBLE_EQ(*trace::metric_of(t, 0, "dram__bytes_read.sum"), 54'200'000);
  EXPECT_DOUBLE_EQ(*trace::metric_of(t, 0, "smsp__cycles_elapsed.avg.per_second"), 1.5e9);
}

TEST(ncu_csv, what_is_no_number_is_not_collected) {
  const auto t = read(details_header + "\n" + row("a", "%", "n/a") + row("b", "", "") + row("c", "", "nan") +
                      row("d", "", "Turing") + row("e", "", "12 (4; 8)"));
  ASSERT_EQ(t.kernel_metrics.size(), 1U);
  EXPECT_EQ(trace::metric_of(t, 0, "e"), 12);
}

TEST(ncu_csv, rules_with_new_lines_are_rows_without_metrics) {
  const auto text =
      details_header + R"x(,"Rule Name","Rule Type","Rule Description")x" + "\n" +
      R"x("0","52","app","h","k","1","7","(1, 1, 1)","(1, 1, 1)","0","9.0","S","","","","R","OPT","Low ""SM"" use,)x" +
      "\n" + R"x(""ID"" two lines")x" + "\n" +
      R"x("0","52","app","h","k","1","7","(1, 1, 1)","(1, 1, 1)","0","9.0","S","m","","3","","","")x" + "\n";
  const auto t = read(text);
  EXPECT_EQ(t.profiled_kernels.size(), 1U);
  ASSERT_EQ(t.kernel_metrics.size(), 1U);
  EXPECT_EQ(trace::metric_of(t, 0, "m"), 3);
  EXPECT_TRUE(t.quality.defects.empty());
}

TEST(ncu_csv, a_raw_table_has_its_units_in_a_row) {
  const auto t = read(
      R"x("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","dram__bytes_read.sum","gpu__time_duration.sum")x"
      "\n"
      R"x("","","","","","","","","","","","Kbyte","us")x"
      "\n"
      R"x("0","9","app","h","first","1","7","(256, 1, 1)","(1024, 1, 1)","0","8.0","1,024.5","3.2")x"
      "\n"
      R"x("1","9","app","h","second","1","7","(256, 1, 1)","(8, 1, 1)","0","8.0","n/a","4")x"
      "\n");
  ASSERT_EQ(t.profiled_kernels.size(), 2U);
  EXPECT_DOUBLE_EQ(*trace::metric_of(t, 0, "dram__bytes_read.sum"), 1'024'500);
  EXPECT_DOUBLE_EQ(*trace::metric_of(t, 0, "gpu__time_duration.sum"), 3200);
  EXPECT_FALSE(trace::metric_of(t, 1, "dram__bytes_read.sum"));
  EXPECT_DOUBLE_EQ(*trace::metric_of(t, 1, "gpu__time_duration.sum"), 4000);
  EXPECT_EQ(t.names[t.profiled_kernels[1].name], "second");
}

TEST(ncu_csv, equal_ids_of_two_tables_are_two_kernels) {
  const auto table = details_header + "\n" + row("m", "", "1");
  const auto t = read(table + "==PROF== Disconnected\n" + table);
  EXPECT_EQ(t.profiled_kernels.size(), 2U);
}

TEST(ncu_csv, a_cut_row_is_told_and_not_believed) {
  const auto whole = details_header + "\n" + row("m", "", "1") + row("n", "", "54,207,744");
  const auto cut = whole.substr(0, whole.size() - 6);
  const auto t = read(cut);
  EXPECT_EQ(trace::metric_of(t, 0, "m"), 1);
  EXPECT_FALSE(trace::metric_of(t, 0, "n"));
  ASSERT_EQ(t.quality.count(flaw::truncated), 1U);
  EXPECT_EQ(t.quality.defects[0].offsets.at(0), whole.rfind("\"0\",\"52\""));
}

// Wherever the text is cut, the rows before the cut are read and no others.
TEST(ncu_csv, every_prefix_gives_its_whole_rows) {
  const auto head = details_header + "\n";
  const auto one = row("m", "", "1,234"), text = head + one + one + one;
  for (std::size_t length = head.size(); length < text.size(); ++length) {
    const auto t = read(text.substr(0, length));
    // A row is whole with its last quote; the new line after it is not needed.
    const auto whole = (length - head.size() + 1) / one.size();
    ASSERT_EQ(t.kernel_metrics.size(), whole) << length;
    for (const auto& m : t.kernel_metrics) ASSERT_EQ(m.value, 1234) << length;
  }
}

TEST(ncu_csv, a_stray_quote_of_the_program_costs_no_row) {
  const auto t =
      read("\"begin\n" + details_header + "\n\"progress: half\n" + row("m", "", "1") + row("n", "", "2"));
  EXPECT_EQ(trace::metric_of(t, 0, "m"), 1);
  EXPECT_EQ(trace::metric_of(t, 0, "n"), 2);
  EXPECT_EQ(t.quality.count(flaw::truncated), 0U);
}

TEST(ncu_csv, without_a_table_it_says_what_to_do) {
  const auto r = read_result("==PROF== Connected\n==ERROR== The user does not have permission\n");
  ASSERT_FALSE(r.ok());
  EXPECT_NE(r.why().message.find("t.csv"), std::string::npos);
  EXPECT_NE(r.why().remedy.find("ncu --csv"), std::string::npos);
}

TEST(ncu_csv, recognises_by_content) {
  EXPECT_TRUE(ncu_csv().recognises("\xEF\xBB\xBF==PROF== Connected"));
  EXPECT_TRUE(ncu_csv().recognises("hello\n\"ID\",\"Process ID\""));
  EXPECT_FALSE(ncu_csv().recognises("{\"traceEvents\":[]}"));
  EXPECT_FALSE(ncu_csv().recognises("ID,Name\n1,2\n"));
}

}  // namespace
}  // namespace ridge::backends::trace_ncu_csv
