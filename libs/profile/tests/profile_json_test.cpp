// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/profile_json.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/profile/gpu_collector.hpp>

namespace ridge::profile {
namespace {

using nlohmann::json;

void write_file(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string text_of(const profile_facts& facts, const profiled_program& seen,
                    event_counts* counts = nullptr) {
  std::string text;
  const auto counted = write_profile(facts, seen, [&text](std::string_view part) { text += part; });
  if (counts != nullptr) *counts = counted;
  return text;
}

TEST(profile_json, an_empty_profile_is_whole_json) {
  const auto j = json::parse(text_of({}, {}));
  EXPECT_TRUE(j["traceEvents"].empty());
  EXPECT_TRUE(j["samples"].empty());
}

TEST(profile_json, stacks_waits_names_and_facts_are_written_exactly) {
  profiled_program seen{
      .sampler_unit = "cpu-clock", .unix_minus_clock_ns = 1'700'000'000'000'000'001, .exit_code = 3};
  seen.cpu.add(thread_named{.process = 5, .thread = 5, .name = "a \"b\"\n\xff"});
  seen.cpu.add(stack_seen{.time_ns = 1'234'567, .process = 5, .thread = 6, .weight = 9, .addresses = {1, 2}});
  seen.cpu.add(thread_switched{.time_ns = 100'001, .process = 5, .thread = 6, .out = true});
  seen.cpu.add(thread_switched{.time_ns = 200'003, .process = 5, .thread = 6});
  seen.cpu.add(records_lost{7});
  profile_facts facts{.command = {"prog", "--x"}, .host = "box"};
  facts.gpu.records_lost = 2;
  facts.gpu.devices[0] = R"({"id":0,"name":"GPU of a kind"})";
  const auto text = text_of(facts, seen);
  const auto j = json::parse(text);
  EXPECT_EQ(j["baseTimeNanoseconds"], 1'700'000'000'000'000'001);
  EXPECT_EQ(j["command"], (json{"prog", "--x"}));
  EXPECT_EQ(j["exitCode"], 3);
  EXPECT_EQ(j["lostRecords"], 9);
  EXPECT_EQ(j["deviceProperties"][0]["name"], "GPU of a kind");
  ASSERT_EQ(j["samples"].size(), 1U);
  const auto& s = j["samples"][0];
  EXPECT_EQ(s["weight"], 9);
  EXPECT_EQ(s["tid"], 6);
  EXPECT_NE(text.find("\"ts\":1234.567"), std::string::npos);
  const auto& inner = j["stackFrames"][s["sf"].get<std::string>()];
  EXPECT_EQ(inner["name"], "[unknown]");
  EXPECT_TRUE(inner.contains("parent"));
  EXPECT_NE(text.find(R"("cat":"off_cpu","name":"waiting","pid":5,"tid":6,"ts":100.001,"dur":100.002)"),
            std::string::npos);
}

TEST(profile_json, whole_lines_of_the_collectors_are_counted_and_kept) {
  const events_folder folder;
  write_file(folder.path() / "events-1.jsonl",
             "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\"}\n{\"ph\":\"X\",\"cat\":\"cuda_runtime\","
             "\"name\":\"c\"}\n"
             "{\"ph\":\"X\",\"cat\":\"cuda_sync\",\"name\":\"s\"}\nrubbish\n{\"ph\":\"X\",\"cat\":\"kernel\","
             "\"args\":{}");
  write_file(folder.path() / "events-2.jsonl",
             "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\"}\n{\"ph\":\"X\",\"cat\":\"gpu_memset\"}\n{\"ph\":\"X\","
             "\"cat\":\"user_annotation\"}\n");
  event_counts counts;
  const auto j = json::parse(text_of({.event_files = folder.events()}, {}, &counts));
  EXPECT_EQ(j["traceEvents"].size(), 6U);
  EXPECT_EQ(counts.kernels, 1U);
  EXPECT_EQ(counts.calls, 1U);
  EXPECT_EQ(counts.copies, 1U);
  EXPECT_EQ(counts.fills, 1U);
  EXPECT_EQ(counts.ranges, 1U);
}

TEST(gpu_facts, of_several_processes_are_one) {
  const events_folder folder;
  write_file(folder.path() / "facts-1.jsonl",
             "{\"device\":{\"id\":1,\"name\":\"one\"}}\n{\"device\":{\"id\":0,\"name\":\"zero\"}}\n{"
             "\"dropped\":3}\n{\"cuda_driver_version\":13000}\n");
  write_file(folder.path() / "facts-2.jsonl",
             "{\"device\":{\"id\":1,\"name\":\"one\"}}\n{\"dropped\":4}\n{\"failed\":\"x\"}\n{\"failed\":"
             "\"x\"}\nnot json\n{\"device\":7}\n[1]\n");
  const auto facts = read_gpu_facts(folder.facts());
  EXPECT_EQ(facts.processes, 2U);
  EXPECT_EQ(facts.devices.size(), 2U);
  EXPECT_EQ(facts.records_lost, 7U);
  EXPECT_EQ(facts.driver_version, 13000);
  EXPECT_EQ(facts.failures, std::vector<std::string>{"x"});
}

TEST(events_folder, goes_with_its_owner) {
  std::filesystem::path path;
  {
    const events_folder folder;
    path = folder.path();
    write_file(path / "events-3.jsonl", "{}\n");
    EXPECT_EQ(folder.events().size(), 1U);
    EXPECT_TRUE(folder.facts().empty());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(gpu_collector, is_found_beside_the_program_or_in_lib) {
  const events_folder folder;
  const auto bin = folder.path() / "bin", lib = folder.path() / "lib";
  std::filesystem::create_directories(bin);
  std::filesystem::create_directories(lib);
  EXPECT_FALSE(find_gpu_collector(bin));
  write_file(lib / "libridge_profile_cupti.so", "");
  EXPECT_EQ(find_gpu_collector(bin), lib / "libridge_profile_cupti.so");
  write_file(bin / "libridge_profile_cupti.so", "");
  EXPECT_EQ(find_gpu_collector(bin), bin / "libridge_profile_cupti.so");
}

}  // namespace
}  // namespace ridge::profile
