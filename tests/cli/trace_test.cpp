// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Returns a trace of three steps of 100 us on one rank: a launch, a kernel of `kernel_us`, and 10 us before
// the next step in which nothing runs.
std::string trace_text(int rank, int kernel_us) {
  std::string events;
  for (int step = 0; step < 3; ++step) {
    const int at = 1000 + step * 100;
    events += fmt::format(
        R"({{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{}","pid":7,"tid":7,"ts":{},"dur":100}},)",
        step, at);
    events += fmt::format(
        R"({{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":{},"dur":5,"args":{{"correlation":{}}}}},)",
        at + 1, step + 1);
    events += fmt::format(
        R"({{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{}.125,"dur":{}.5,"args":{{"device":0,"stream":7,"correlation":{},"grid":[8,1,1],"block":[128,1,1]}}}},)",
        at + 10, kernel_us, step + 1);
  }
  events.pop_back();
  return fmt::format(R"({{"distributedInfo":{{"rank":{},"world_size":2}},"traceEvents":[{}]}})", rank,
                     events);
}

void write_trace(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

TEST(cli_trace, sums_the_states_of_a_device_to_the_nanosecond) {
  const scene in;
  write_trace(in.folder() / "a.json", trace_text(0, 60));
  const auto seen = in.ridge("trace a.json --json");
  ASSERT_EQ(seen.code, 0) << seen.err;
  const auto page = json::parse(seen.out);
  EXPECT_EQ(page.at("schema"), "ridge.trace.summary/1");
  const auto& device = page.at("devices").at("0");
  EXPECT_EQ(device.at("span_ns"), 260'500);
  EXPECT_EQ(device.at("busy_ns"), 3 * 60'500);
  EXPECT_EQ(device.at("comp_ns").get<int>() + device.at("idle_ns").get<int>(), 260'500);
  EXPECT_EQ(page.at("launch").at("correlated"), 3);
  EXPECT_THAT(in.ridge("trace a.json").out, HasSubstr("Where the time went"));
  EXPECT_THAT(in.ridge("trace kernels a.json --csv").out, HasSubstr("gemm"));
}

TEST(cli_trace, writes_a_page_of_ranks_with_links_to_their_own) {
  const scene in;
  std::filesystem::create_directory(in.folder() / "run");
  write_trace(in.folder() / "run/a.json", trace_text(0, 60));
  write_trace(in.folder() / "run/b.json", trace_text(1, 50));
  const auto seen = in.ridge("trace html run --each --output out.html");
  ASSERT_EQ(seen.code, 0) << seen.err;
  const auto page = contents(in.folder() / "out.html");
  EXPECT_THAT(page, HasSubstr("<a href=\"out-rank-1.html\">rank 1</a>"));
  EXPECT_THAT(contents(in.folder() / "out-rank-1.html"), HasSubstr("id=\"trace-data\""));
  EXPECT_EQ(in.ridge("trace html run --ranks --output ranks.html").code, 0);
  EXPECT_THAT(contents(in.folder() / "ranks.html"), testing::Not(HasSubstr("<a href=\"ranks-rank")));
  EXPECT_EQ(in.ridge("trace html run --ranks --steps 9 --output none.html").code, 64);
}

TEST(cli_trace, refuses_a_table_that_a_page_has_not) {
  const scene in;
  write_trace(in.folder() / "rank0.json", trace_text(0, 60));
  write_trace(in.folder() / "rank1.json", trace_text(1, 70));
  for (const auto* page : {"trace rank0.json", "trace .", "trace kernels rank0.json",
                           "trace critical-path rank0.json", "diagnose ."}) {
    const auto seen = in.ridge(std::string(page) + " --table nonsense");
    EXPECT_EQ(seen.code, 64) << page;
    EXPECT_THAT(seen.err, HasSubstr("nonsense")) << page;
  }
}

TEST(cli_trace, a_table_of_a_folder_of_ranks_has_all_of_them) {
  const scene in;
  for (int rank = 0; rank < 25; ++rank)
    write_trace(in.folder() / fmt::format("rank{}.json", rank), trace_text(rank, 60));
  const auto seen = in.ridge("trace . --table ranks");
  ASSERT_EQ(seen.code, 0) << seen.err;
  EXPECT_EQ(std::ranges::count(seen.out, '\n'), 26) << seen.out;
}

TEST(cli_trace, a_page_for_perfetto_of_a_pipe_holds_its_events) {
  const scene in;
  write_trace(in.folder() / "a.json", trace_text(0, 60));
  ASSERT_EQ(in.ridge("trace perfetto - --output page.json", "sh -c 'cat a.json | \"$0\" \"$@\"'").code, 0);
  const auto page = json::parse(contents(in.folder() / "page.json"));
  const auto& events = page.at("traceEvents");
  EXPECT_EQ(std::ranges::count_if(events, [](const json& e) { return e.value("name", "") == "gemm"; }), 3);
}

TEST(cli_trace, looks_at_the_steps_that_were_chosen_and_names_those_there_are) {
  const scene in;
  write_trace(in.folder() / "a.json", trace_text(0, 60));
  const auto page = json::parse(in.ridge("trace a.json --steps 1 --json").out);
  EXPECT_EQ(page.at("devices").at("0").at("span_ns"), 100'000);
  EXPECT_EQ(page.at("devices").at("0").at("busy_ns"), 60'500);
  const auto refused = in.ridge("trace a.json --steps 9");
  EXPECT_EQ(refused.code, 64);
  EXPECT_THAT(refused.err, HasSubstr("9"));
}

TEST(cli_trace, puts_the_ranks_of_a_folder_side_by_side) {
  const scene in;
  std::filesystem::create_directories(in.folder() / "ranks" / "node1");
  write_trace(in.folder() / "ranks" / "node1" / "one.json", trace_text(1, 60));
  write_trace(in.folder() / "ranks" / "two.json", trace_text(0, 50));
  write_trace(in.folder() / "ranks" / "notes.txt", "remember the milk");
  const auto seen = in.ridge("trace ./ranks --json");
  ASSERT_EQ(seen.code, 0) << seen.err;
  const auto page = json::parse(seen.out);
  EXPECT_EQ(page.at("schema"), "ridge.trace.ranks/1");
  const auto& ranks = page.at("ranks");
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks.at(0).at("rank"), "rank 0");
  EXPECT_EQ(ranks.at(1).at("steps"), 1);  // steady: without the first and the last
  EXPECT_EQ(ranks.at(1).at("comp_ns"), 60'500);
  EXPECT_EQ(ranks.at(1).at("window_ns"), 100'000);
  EXPECT_THAT(ranks.at(1).at("path").get<std::string>(), HasSubstr("node1"));
  EXPECT_THAT(seen.err, HasSubstr("notes.txt"));
  EXPECT_EQ(json::parse(in.ridge("trace ./ranks --rank 1 --json").out).at("rank"), 1);
  EXPECT_EQ(json::parse(in.ridge("trace ./ranks --steps 0-1 --json").out).at("ranks").at(0).at("steps"), 2);
  EXPECT_EQ(in.ridge("trace ./ranks --steps 9").code, 64);
}

TEST(cli_trace, fits_many_ranks_on_a_page_and_counts_the_rest) {
  const scene in;
  std::filesystem::create_directories(in.folder() / "ranks");
  for (int r = 0; r < 50; ++r)
    write_trace(in.folder() / "ranks" / fmt::format("{}.json", r), trace_text(r, r == 31 ? 70 : 60));
  const auto seen = in.ridge("trace ./ranks");
  ASSERT_EQ(seen.code, 0) << seen.err;
  EXPECT_LT(std::ranges::count(seen.out, '\n'), 50);
  EXPECT_THAT(seen.out, HasSubstr("30 ranks lie between them"));
  EXPECT_THAT(seen.out, HasSubstr("rank 31  compute  70.5 µs"));
  EXPECT_LT(seen.out.find("rank 31"), seen.out.find("rank 0 "));  // the worst stand first
  EXPECT_THAT(in.ridge("trace ./ranks --verbose").out, HasSubstr("rank 29 "));
  EXPECT_EQ(json::parse(in.ridge("trace ./ranks --json").out).at("ranks").size(), 50u);
}

TEST(cli_trace, takes_ranks_from_paths_where_the_user_says_how) {
  const scene in;
  std::filesystem::create_directories(in.folder() / "ranks");
  write_trace(in.folder() / "ranks" / "gpu4.json", trace_text(0, 60));
  write_trace(in.folder() / "ranks" / "gpu9.json", trace_text(0, 50));
  const auto ranks =
      json::parse(in.ridge("trace ./ranks --rank-pattern 'gpu{rank}.' --json").out).at("ranks");
  EXPECT_EQ(ranks.at(0).at("rank"), "rank 4");
  EXPECT_EQ(ranks.at(1).at("rank"), "rank 9");
  const auto one = in.ridge("trace ./ranks --rank-pattern 'gpu{rank}.' --rank 9 --json");
  EXPECT_EQ(json::parse(one.out).at("rank"), 9);
  EXPECT_THAT(in.ridge("trace ./ranks --rank-pattern 'gpu'").err, HasSubstr("{rank}"));
}

TEST(cli_trace, tells_a_diff_whose_causes_add_up) {
  const scene in;
  write_trace(in.folder() / "before.json", trace_text(0, 60));
  write_trace(in.folder() / "after.json", trace_text(0, 70));
  const auto page = json::parse(in.ridge("trace diff before.json after.json --json").out);
  EXPECT_EQ(page.at("remainder_ns"), 0);
  long long states = 0;
  for (const auto& s : page.at("states")) {
    if (s.at("state") != "all") states += s.at("delta_ns").get<long long>();
  }
  EXPECT_EQ(states, page.at("total_delta_ns").get<long long>());
  long long causes = 0;
  for (const auto& c : page.at("causes")) causes += c.at("delta_ns").get<long long>();
  EXPECT_EQ(causes, page.at("total_delta_ns").get<long long>());
  EXPECT_EQ(page.at("causes").at(1).at("state"), "idle");
  EXPECT_EQ(in.ridge("trace diff before.json").code, 64);
}

TEST(cli_trace, says_what_a_module_and_a_range_cost) {
  const scene in;
  auto text = trace_text(0, 60);
  text.insert(
      text.rfind(']'),
      R"(,{"ph":"X","cat":"python_function","name":"nn.Module: Net_0","pid":7,"tid":7,"ts":1000,"dur":150})");
  write_trace(in.folder() / "a.json", text);
  const auto modules = json::parse(in.ridge("trace modules a.json --json").out);
  EXPECT_EQ(modules.at("schema"), "ridge.trace.modules/1");
  EXPECT_EQ(modules.at("tree").at(0).at("path"), "Net_0");
  EXPECT_EQ(modules.at("tree").at(0).at("device_ns"), 2 * 60'500);
  const auto ranges = json::parse(in.ridge("trace ranges a.json --json").out);
  EXPECT_EQ(ranges.at("tree").at(0).at("calls"), 3);
  EXPECT_EQ(ranges.at("tree").at(0).at("device_ns"), 3 * 60'500);
  write_trace(in.folder() / "b.json", trace_text(0, 60));
  EXPECT_THAT(in.ridge("trace modules b.json").out, HasSubstr("with_stack=True"));
}

TEST(cli_trace, follows_the_critical_path_over_ranks) {
  const scene in;
  std::filesystem::create_directories(in.folder() / "ranks");
  write_trace(in.folder() / "ranks" / "0.json", trace_text(0, 60));
  write_trace(in.folder() / "ranks" / "1.json", trace_text(1, 60));
  const auto page = json::parse(in.ridge("trace critical-path ./ranks --json").out);
  EXPECT_EQ(page.at("schema"), "ridge.trace.job_path/1");
  long long sum = 0;
  for (const auto& c : page.at("classes")) sum += c.at("ns").get<long long>();
  EXPECT_EQ(sum, page.at("window_ns").get<long long>());
  const auto one = json::parse(in.ridge("trace critical-path ./ranks --rank 1 --json").out);
  EXPECT_EQ(one.at("schema"), "ridge.trace.critical_path/1");
}

TEST(cli_trace, writes_a_page_for_perfetto_that_it_reads_again) {
  const scene in;
  write_trace(in.folder() / "a.json", trace_text(0, 60));
  ASSERT_EQ(in.ridge("trace perfetto a.json --output out.json").code, 0);
  const auto before = json::parse(in.ridge("trace a.json --json").out),
             after = json::parse(in.ridge("trace out.json --json").out);
  int findings = 0, stretches = 0;  // of the critical path; both are events of the page
  const auto page = json::parse(contents(in.folder() / "out.json"));
  for (const auto& e : page.at("traceEvents")) {
    findings += e.value("cat", "") == "finding" ? 1 : 0;
    stretches += e.value("cat", "") == "critical path" ? 1 : 0;
  }
  EXPECT_GT(findings, 0);
  EXPECT_GT(stretches, 0);
  EXPECT_EQ(before.at("events").get<int>() + findings + stretches, after.at("events").get<int>());
  EXPECT_EQ(before.at("devices").at("0").at("idle_ns"), after.at("devices").begin()->at("idle_ns"));
}

TEST(cli_trace, keeps_what_it_parsed_and_reads_it_again_unless_the_file_changed) {
  const scene in;
  const std::string padding(5 << 20, ' ');  // small files are read again as fast as a cache
  write_trace(in.folder() / "a.json", trace_text(0, 60) + padding);
  const auto cache = "XDG_CACHE_HOME=" + in.folder().string();
  EXPECT_EQ(json::parse(in.ridge("trace a.json --json", cache).out).at("source").at("from_cache"), false);
  EXPECT_EQ(json::parse(in.ridge("trace a.json --json", cache).out).at("source").at("from_cache"), true);
  write_trace(in.folder() / "a.json", trace_text(0, 59) + padding);
  const auto third = json::parse(in.ridge("trace a.json --json", cache).out);
  EXPECT_EQ(third.at("source").at("from_cache"), false);
  EXPECT_EQ(third.at("devices").at("0").at("busy_ns"), 3 * 59'500);
  EXPECT_EQ(json::parse(in.ridge("trace a.json --json --no-cache", cache).out).at("source").at("from_cache"),
            false);
}

TEST(cli_trace, names_what_it_cannot_read_and_the_command_that_makes_it_readable) {
  const scene in;
  write_trace(in.folder() / "a.ncu-rep", std::string("NVR\0\x01\x02", 6));
  write_trace(in.folder() / "empty.json", "");
  const auto report = in.ridge("trace a.ncu-rep");
  EXPECT_EQ(report.code, 69);
  EXPECT_THAT(report.err, HasSubstr("ncu --import"));
  EXPECT_THAT(in.ridge("trace empty.json").err, HasSubstr("empty"));
  EXPECT_THAT(in.ridge("trace missing.json").err, HasSubstr("missing.json"));
  EXPECT_EQ(in.ridge("trace").code, 69);
  EXPECT_EQ(in.ridge("trace a.json --max-memory much").code, 64);
}

TEST(cli_diagnose, ranks_findings_and_says_what_it_lacks) {
  const scene in;
  write_trace(in.folder() / "a.json", trace_text(0, 20));
  const auto seen = in.ridge("diagnose a.json --json");
  ASSERT_EQ(seen.code, 0) << seen.err;
  const auto page = json::parse(seen.out);
  EXPECT_EQ(page.at("schema"), "ridge.trace.diagnosis/1");
  long long saved = 0, last = page.at("devices").at(0).at("window_ns");
  bool alarms = true;  // they come before notes
  for (const auto& f : page.at("findings")) {
    EXPECT_TRUE(alarms || !f.at("alarm").get<bool>());
    if (alarms == f.at("alarm").get<bool>()) {
      EXPECT_LE(f.at("saves_ns").get<long long>(), last);
    }
    alarms = f.at("alarm");
    last = f.at("saves_ns");
    saved += last;
  }
  EXPECT_LE(saved, page.at("devices").at(0).at("window_ns").get<long long>());
  EXPECT_FALSE(page.at("abstentions").empty());
  EXPECT_EQ(in.ridge("diagnose a.json --set I1.idle_shore=0.2").code, 64);
  EXPECT_THAT(in.ridge("diagnose a.json --gpu H2000").err, HasSubstr("H200"));
}

}  // namespace
}  // namespace ridge::cli
