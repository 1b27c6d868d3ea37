// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <ridge/trace/importer.hpp>

#include "sample_lines.hpp"

namespace ridge::backends::trace_perf_script {

const trace::importer& perf_script();

namespace {

// Two samples of two threads, as `perf script` of Linux 6 prints them.
constexpr auto two =
    "# captured on: a day\n"
    "burn 4242/4243 [001]  5512.123456:    1001001 cpu-clock:u: \n"
    "\t    5581d2 spin(int)+0x1f (/usr/bin/burn)\n"
    "\t    5581ff main+0x2 (/usr/bin/burn)\n"
    "\n"
    "Thread Pool 1 4242/4250 [000]  5512.000000001:        500 cpu-clock:u: \n"
    "\t7f0000001234 [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6)\n"
    "\n";

result<trace::trace> read_text(const std::string& text) {
  return perf_script().read(*trace::source_of(text), {}, {});
}

std::string stack_of(const trace::trace& t, const trace::stack_sample& s) {
  std::string text;
  for (auto at = s.stack; at != trace::none; at = t.stacks[at].caller)
    text +=
        std::string(t.names[t.stacks[at].function]) + "@" + std::string(t.names[t.stacks[at].module]) + " ";
  return text;
}

TEST(sample_lines, heads_of_all_usual_shapes) {
  const auto plain = read_sample_head("swapper     0 [000] 12.000001:     250000 cycles:P: ");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->command, "swapper");
  EXPECT_EQ(plain->process, 0);
  EXPECT_EQ(plain->time_ns, 12'000'001'000);
  EXPECT_EQ(plain->period, 250000U);
  EXPECT_EQ(plain->event, "cycles:P");
  const auto bare = read_sample_head("a b: c 7 3.5: cycles: ");
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->command, "a b: c");
  EXPECT_EQ(bare->thread, 7);
  EXPECT_EQ(bare->time_ns, 3'500'000'000);
  EXPECT_EQ(bare->period, 1U);
  for (const auto* none : {"", "#", "no sample here",
                           "x 1 2: e: ", "x 1 2.3 e:", "x y 2.3: e: ", "1 2.3: e: ", "x 1 2.1234567890: e: "})
    EXPECT_FALSE(read_sample_head(none)) << none;
}

TEST(sample_lines, frames_lose_their_offset_only) {
  const auto f =
      read_frame("  4f2 std::vector<int (*)(char)>::at(unsigned long)+0x10 (/opt/a b/lib.so (deleted))");
  ASSERT_TRUE(f);
  EXPECT_EQ(f->function, "std::vector<int (*)(char)>::at(unsigned long)");
  EXPECT_EQ(f->file, "/opt/a b/lib.so");
  const auto g = read_frame("\t4f2 f(int)+0x1f (inlined)");
  ASSERT_TRUE(g);
  EXPECT_EQ(g->function, "f(int)");
  EXPECT_EQ(g->file, "inlined");
  EXPECT_FALSE(read_frame("zz f (x)"));
  EXPECT_FALSE(read_frame("4f2 f"));
}

TEST(perf_script, samples_with_their_stacks_threads_and_weights) {
  const auto t = read_text(two);
  ASSERT_TRUE(t);
  ASSERT_EQ(t->samples.size(), 2U);
  EXPECT_EQ(t->samples[0].time_ns, 5512'000'000'001);
  EXPECT_EQ(stack_of(*t, t->samples[0]), "@libc.so.6 ");
  EXPECT_EQ(t->tracks[t->samples[0].track].name, "Thread Pool 1");
  EXPECT_EQ(stack_of(*t, t->samples[1]), "spin(int)@burn main@burn ");
  EXPECT_EQ(t->samples[1].weight, 1001001U);
  EXPECT_EQ(t->tracks[t->samples[1].track].thread, 4243);
  EXPECT_EQ(t->processes[t->tracks[t->samples[1].track].process].id, 4242);
  EXPECT_EQ(t->source.producer, "perf script, cpu-clock:u");
  EXPECT_TRUE(t->quality.defects.empty());
}

TEST(perf_script, a_sample_without_a_chain_has_its_frame_behind_it) {
  const auto t = read_text("burn 5 [001] 1.5: 7 cycles:  55d2 spin+0x1 (/usr/bin/burn)\n");
  ASSERT_TRUE(t);
  ASSERT_EQ(t->samples.size(), 1U);
  EXPECT_EQ(stack_of(*t, t->samples[0]), "spin@burn ");
}

TEST(perf_script, samples_of_a_second_event_are_left_out_and_counted) {
  const auto t = read_text(std::string(two) + "burn 4242 [001] 9.5: 7 instructions: \n\t1 f (x)\n\n");
  ASSERT_TRUE(t);
  EXPECT_EQ(t->samples.size(), 2U);
  EXPECT_EQ(t->quality.count(trace::flaw::unknown_field), 1U);
}

TEST(perf_script, is_told_by_its_first_line) {
  EXPECT_TRUE(perf_script().recognises(two));
  EXPECT_FALSE(perf_script().recognises("{\"traceEvents\":[]}"));
  EXPECT_FALSE(perf_script().recognises("# nothing else\n"));
  EXPECT_FALSE(perf_script().recognises(""));
  EXPECT_FALSE(read_text("no samples\n"));
}

// Whatever the damage, reading ends, and what stands before it is read.
TEST(perf_script, damaged_texts_do_no_harm) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += two;
  std::uint64_t state = 7;
  const auto next = [&state] {
    return state = state * 6364136223846793005U + 1442695040888963407U, state >> 33;
  };
  for (int round = 0; round < 200; ++round) {
    auto damaged = text.substr(0, next() % text.size());
    for (int i = 0; i < 20 && !damaged.empty(); ++i)
      damaged[next() % damaged.size()] = static_cast<char>(next());
    const auto t = read_text(damaged);
    if (t) {
      EXPECT_LE(t->samples.size(), 120U);
    }
  }
  for (std::size_t size = 400; size < 800; ++size)
    EXPECT_GE(read_text(text.substr(0, size))->samples.size(), 1U);
}

// Blocks end anywhere in a line.
TEST(perf_script, long_inputs_are_read_in_pieces) {
  std::string text;
  while (text.size() < 300'000) text += two;
  const auto t = read_text(text);
  ASSERT_TRUE(t);
  EXPECT_EQ(t->samples.size() * std::string(two).size(), text.size() * 2);
  EXPECT_EQ(t->source.content_bytes, text.size());
}

}  // namespace
}  // namespace ridge::backends::trace_perf_script
