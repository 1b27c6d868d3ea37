// SPDX-License-Identifier: Apache-2.0
// Reads the page that is written for each real trace, and its file, with another JSON parser, and compares
// the sets of their events.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/open.hpp>
#include <ridge/trace_report/perfetto.hpp>

#include "fixtures/backend_importers.hpp"
#include "fixtures/data.hpp"
#include "fixtures/scratch_folder.hpp"
#include "inputs/importers.hpp"

namespace ridge::trace_report {
namespace {

using nlohmann::json;
using trace::trace;

// Contents above this take minutes with a parser that builds a tree.
constexpr std::size_t most_bytes = 24'000'000;

std::vector<trace> opened(const std::string& path) {
  auto made = ridge::trace::open_data(path);
  return made ? std::move(made->traces) : std::vector<trace>{};
}

struct page {
  json content{};
  perfetto_counts counts{};
};

page page_of(std::span<const placed_trace> placed, std::span<const marker> findings = {}) {
  page made;
  std::string text;
  made.counts = write_perfetto(placed, findings, [&](std::string_view piece) { text += piece; });
  made.content = json::parse(text, nullptr, false);
  EXPECT_FALSE(made.content.is_discarded()) << text.substr(0, 300);
  return made;
}

const json& events_in(const json& document) {
  static const json none = json::array();
  if (document.is_array()) return document;
  return document.is_object() && document.contains("traceEvents") ? document["traceEvents"] : none;
}

// The events as sorted texts; the thread number, which alone may change, left out.
std::vector<std::string> without_threads(const json& events) {
  std::vector<std::string> all;
  for (auto e : events) {
    if (e.is_object()) e.erase("tid");
    all.push_back(e.dump());
  }
  std::ranges::sort(all);
  return all;
}

std::uint64_t threads_that_differ(const json& before, const json& after) {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    n += before[i].value("tid", json()) != after[i].value("tid", json());
  return n;
}

std::vector<std::string> files_in(const std::string& folder, std::string_view ending) {
  std::vector<std::string> paths;
  const auto root = ridge::trace::fixtures::data_file(folder);
  if (root.empty()) return paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const auto path = entry.path().string();
    if (entry.is_regular_file() && (path.ends_with(ending) || path.ends_with(std::string(ending) + ".gz")))
      paths.push_back(path);
  }
  std::ranges::sort(paths);
  return paths;
}

// Expects that the page of one file holds all that stands in it: events but for threads, and members of the
// root. Returns whether that could be compared.
bool expect_nothing_dropped(const std::string& path, const std::string& text) {
  const auto original = json::parse(text, nullptr, false);
  const auto traces = opened(path);
  if (original.is_discarded() || traces.size() != 1) return false;
  const placed_trace placed{.source = &traces[0]};
  const auto made = page_of({&placed, 1});
  const auto& before = events_in(original);
  auto after = events_in(made.content);
  EXPECT_GE(after.size(), before.size()) << path;
  if (after.size() < before.size()) return true;
  EXPECT_EQ(made.counts.original, before.size()) << path;
  after.erase(after.begin() + static_cast<std::ptrdiff_t>(before.size()), after.end());
  EXPECT_TRUE(without_threads(before) == without_threads(after)) << path;
  EXPECT_EQ(threads_that_differ(before, after), made.counts.moved) << path;
  if (!original.is_object()) return true;
  for (const auto& [key, value] : original.items()) {
    if (key == "traceEvents") continue;
    EXPECT_EQ(made.content.value(key, json()), value) << path << " " << key;
  }
  return true;
}

TEST(perfetto_files, hold_every_event_and_argument_of_every_trace_in_chrome_json) {
  int compared = 0;
  for (const auto* folder : {"traces/kineto", "traces/hta", "traces/tracelens", "traces/param"}) {
    for (const auto& path : files_in(folder, ".json")) {
      if (std::filesystem::file_size(path) > most_bytes) continue;
      const auto text = ridge::trace::fixtures::text_of(path);
      if (text.size() > most_bytes) continue;
      compared += expect_nothing_dropped(path, text) ? 1 : 0;
    }
  }
  EXPECT_GE(compared, ridge::trace::fixtures::traces_expected(20, 1));
}

TEST(perfetto_files, are_json_for_every_damaged_trace_that_opens) {
  if (ridge::trace::fixtures::data_file("traces/malformed/EXPECT.json").empty())
    GTEST_SKIP() << ridge::trace::fixtures::no_data;
  int written = 0;
  for (const auto& path : files_in("traces/malformed", ".json")) {
    const auto traces = opened(path);
    if (traces.size() != 1) continue;
    const placed_trace placed{.source = &traces[0]};
    const auto made = page_of({&placed, 1});
    EXPECT_GE(made.counts.events, traces[0].events.size()) << path;
    ++written;
  }
  EXPECT_GT(written, 5);
}

std::multiset<std::string> works_of(const trace& t) {
  std::multiset<std::string> all;
  for (const auto& w : t.works)
    all.insert(std::string(t.names[w.name]) + " " + std::to_string(w.start_ns) + " " +
               std::to_string(w.end_ns) + " " + std::to_string(w.device) + " " + std::to_string(w.stream) +
               " " + std::to_string(w.bytes) + " " + std::to_string(w.grid[0]) + " " +
               std::to_string(w.block[0]));
  return all;
}

TEST(perfetto_files, of_nsight_systems_read_back_with_the_same_work_counters_and_memory) {
  const auto paths = files_in("traces/nsys", ".sqlite");
  if (paths.empty()) GTEST_SKIP() << ridge::trace::fixtures::no_data;
  for (const auto& path : paths) {
    const auto traces = opened(path);
    ASSERT_EQ(traces.size(), 1U) << path;
    const placed_trace placed{.source = &traces[0]};
    std::string text;
    static_cast<void>(write_perfetto({&placed, 1}, {}, [&](std::string_view piece) { text += piece; }));
    const auto again =
        backends::trace_chrome_json::chrome_json().read(*ridge::trace::source_of(text), {}, {});
    ASSERT_TRUE(again.ok()) << path;
    EXPECT_EQ(again->events.size(), traces[0].events.size()) << path;
    EXPECT_EQ(works_of(*again), works_of(traces[0])) << path;
    EXPECT_EQ(again->counter_values.size(), traces[0].counter_values.size()) << path;
    EXPECT_EQ(again->memory.size(), traces[0].memory.size()) << path;
  }
}

// Events of every phase, spaces and keys that no writer of ours would give, and two events that overlap.
constexpr std::string_view odd_document = R"({"schemaVersion": 1, "traceEvents": [
 {"ph":"b","cat":"async","name":"load","id":"0x7","pid":"Loader","tid":3,"ts":1.5,"args":{"file":"a\"b"}},
 {"ph":"e","cat":"async","name":"load","id":"0x7","pid":"Loader","tid":3,"ts":9.5},
 { "ts" : 2, "dur": 4, "ph" : "X", "cat":"cpu_op", "name":"first", "pid":10, "tid":1, "args":{"deep":[{"x":[1,2]}]} },
 {"ph":"X","name":"second","pid":10,"tid":1,"ts":4,"dur":7.25},
 {"ph":"s","cat":"ac2g","name":"ac2g","id":5,"pid":10,"tid":1,"ts":2},
 {"ph":"t","cat":"ac2g","name":"ac2g","id":5,"pid":10,"tid":1,"ts":3},
 {"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":5,"pid":10,"tid":1,"ts":4},
 {"ph":"C","name":"queue","pid":10,"ts":5,"args":{"length":3,"bytes":1e3}},
 {"ph":"i","s":"t","name":"[memory]","pid":10,"tid":1,"ts":6,"args":{"Addr":1,"Bytes":512,"Device Type":1}},
 {"ph":"N","name":"object","id":"0x1","pid":10,"tid":1,"ts":6},
 {"ph":"M","name":"process_name","pid":10,"tid":0,"args":{"name":"train"}}],
 "otherData": {"kept": true}})";

TEST(perfetto_files, keep_phases_ids_and_arguments_and_give_a_second_trace_numbers_of_its_own) {
  const ridge::trace::fixtures::scratch_folder in;
  const auto a = in.write("a.json", std::string(odd_document)),
             b = in.write("b.json", std::string(odd_document));
  EXPECT_TRUE(expect_nothing_dropped(a, std::string(odd_document)));
  const auto first = opened(a), second = opened(b);
  ASSERT_EQ(first.size() + second.size(), 2U);
  const std::array placed{
      placed_trace{.source = first.data(), .label = "rank 0"},
      placed_trace{.source = second.data(), .clock = {.offset_ns = 1'500}, .label = "rank 1"}};
  const auto made = page_of(placed);
  const auto& events = events_in(made.content);
  EXPECT_EQ(made.counts.moved, 2U);
  EXPECT_EQ(events[0]["pid"], "Loader");
  EXPECT_EQ(events[2]["args"]["deep"][0]["x"][1], 2);
  std::set<std::string> processes, arrows;
  std::vector<double> starts;
  for (const auto& e : events) {
    if (e["ph"] == "X" && e["name"] == "first") processes.insert(e["pid"].dump()), starts.push_back(e["ts"]);
    if (e["ph"] == "s") arrows.insert(e["id"].dump());
  }
  EXPECT_EQ(processes.size(), 2U);
  EXPECT_EQ(arrows.size(), 2U);
  EXPECT_THAT(starts, testing::ElementsAre(2, 3.5));
  EXPECT_EQ(made.content["ridge sources"][1]["otherData"]["kept"], true);
}

TEST(perfetto_files, name_the_lanes_of_a_process_as_its_file_does) {
  for (const auto* process : {R"("Spans")", R"("7")", "7"}) {
    std::string document = R"({"traceEvents": [)";
    for (const auto* times : {R"("ts":2,"dur":4)", R"("ts":4,"dur":7)"})
      document += std::string(document.ends_with('[') ? "" : ",") + R"({"ph":"X","name":"one","tid":1,)" +
                  times + R"(,"pid":)" + process + "}";
    const ridge::trace::fixtures::scratch_folder in;
    const auto traces = opened(in.write("a.json", document + "]}"));
    ASSERT_EQ(traces.size(), 1U);
    const placed_trace placed{.source = traces.data()};
    const auto made = page_of({&placed, 1});
    EXPECT_EQ(made.counts.moved, 1U);
    std::set<std::string> processes;
    for (const auto& e : events_in(made.content)) processes.insert(e.value("pid", json()).dump());
    EXPECT_THAT(processes, testing::ElementsAre(process)) << made.content.dump();
  }
}

TEST(perfetto_files, of_a_trace_on_another_clock_bear_times_beyond_64_bits) {
  const ridge::trace::fixtures::scratch_folder in;
  const auto traces = opened(in.write("a.json", R"({"traceEvents": [
    {"ph":"X","name":"one","pid":1,"tid":1,"ts":1,"dur":1},{"ph":"X","name":"two","pid":1,"tid":1,"ts":45035996273704959,"dur":1},
    {"ph":"X","name":"three","pid":1,"tid":1,"ts":1e300,"dur":1}]})"));
  ASSERT_EQ(traces.size(), 1U);
  const placed_trace placed{.source = traces.data(), .clock = {.offset_ns = -1'500}};
  EXPECT_GE(events_in(page_of({&placed, 1}).content).size(), 3U);
}

TEST(perfetto_files, show_findings_and_the_critical_path_beside_the_events) {
  const ridge::trace::fixtures::scratch_folder in;
  const auto traces = opened(in.write("a.json", std::string(odd_document)));
  ASSERT_EQ(traces.size(), 1U);
  placed_trace placed{.source = traces.data()};
  placed.critical_path = critical_path_markers(traces[0], ridge::trace::communication_names::built_in());
  ASSERT_FALSE(placed.critical_path.empty());
  const marker finding{.start_ns = 10, .end_ns = 20, .name = "I1", .text = "idle"};
  const auto made = page_of({&placed, 1}, {&finding, 1});
  std::size_t stretches = 0, findings = 0;
  for (const auto& e : events_in(made.content)) {
    stretches += e.value("cat", "") == "critical path";
    findings += e.value("cat", "") == "finding";
  }
  EXPECT_EQ(stretches, placed.critical_path.size());
  EXPECT_EQ(findings, 1U);
}

}  // namespace
}  // namespace ridge::trace_report
