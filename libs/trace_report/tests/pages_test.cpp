// SPDX-License-Identifier: Apache-2.0
// What pages say of made-up traces: their figures are tested where they are computed.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fixtures/scene.hpp>
#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using trace::category;
using trace::nanoseconds;
using trace::fixtures::scene;

template <class Page>
json page_of(const trace::trace& t, Page page, const view& v = {}) {
  const auto s = scope_of(t, v);
  return json::parse(json_of(page(*s)));
}

template <class Page>
std::string text_of_page(const trace::trace& t, Page page, std::size_t columns, const view& v = {}) {
  const auto s = scope_of(t, v);
  return text_of(page(*s), {.columns = columns});
}

std::vector<std::string> notes_of(const json& page) {
  return page.contains("notes") ? page["notes"].get<std::vector<std::string>>() : std::vector<std::string>{};
}

// Sixty kernels without a gap, launched ahead.
scene& busy(scene& s, int kernels = 60) {
  for (int i = 0; i < kernels; ++i)
    s.kernel("gemm", 1'000'000 + i * 100'000, 100'000, 7, {.call_ns = i * 5'000, .call_length_ns = 4'000});
  return s;
}

scene& replaying(scene& s) {
  busy(s);
  for (int i = 0; i < 20; ++i) s.api("cudaGraphLaunch", 1'000'000 + i * 100'000, 20'000);
  return s;
}

TEST(summary_page, is_marked_where_graphs_hide_their_kernels) {
  scene hiding, healthy;
  EXPECT_THAT(notes_of(page_of(replaying(hiding).build(), summary_page)),
              Contains(HasSubstr("20 of 20 graph launches have no kernels in the trace")));
  EXPECT_THAT(notes_of(page_of(busy(healthy).build(), summary_page)), IsEmpty());
}

TEST(summary_page, is_marked_where_the_profiler_distorts_or_too_little_was_recorded) {
  scene distorted, brief;
  busy(distorted).event(category::overhead, "CUPTI activity buffer flush", 2'000'000, 2'000'000, 2);
  EXPECT_THAT(notes_of(page_of(distorted.build(), summary_page)),
              Contains(HasSubstr("its times are not to be believed")));
  EXPECT_THAT(notes_of(page_of(busy(brief, 10).build(), summary_page)),
              Contains(HasSubstr("10 works of devices in no marked steps")));
}

TEST(ranks_page, names_the_ranks_whose_figures_are_to_be_read_with_care) {
  trace::rank_survey survey;
  for (int rank = 0; rank < 3; ++rank) {
    scene s;
    s.builder().facts().source.rank = rank;
    const auto t = (rank == 0 ? busy(s) : replaying(s)).build();
    survey.take(t, trace::steady_window_of(t));
  }
  const auto page = json::parse(json_of(ranks_page(survey.report(), 0)));
  EXPECT_THAT(notes_of(page), Contains(AllOf(HasSubstr("rank 1 and 1 more: 20 of 20 graph launches"))));
  EXPECT_THAT(notes_of(page), Not(Contains(HasSubstr("rank 0 and"))));
}

// Calls of two threads: the second one launches more often, but copies that wait.
TEST(launches_page, shows_the_busiest_thread_s_own_calls_beside_those_of_all) {
  scene s;
  for (int i = 0; i < 5; ++i)
    s.kernel("gemm", 100'000 + i * 10'000, 10'000, 7, {.call_ns = i * 5'000, .call_length_ns = 2'000});
  auto& b = s.builder();
  const auto process = b.process(1);
  for (std::uint32_t i = 0; i < 9; ++i) {
    const auto at = static_cast<nanoseconds>(i) * 5'000 + 2'500;
    b.add({.start_ns = at,
           .duration_ns = 2'400,
           .name = b.intern("cudaMemcpyAsync"),
           .track = b.track_of(trace::track_kind::thread, process, 2),
           .correlation = 900 + i,
           .kind = category::api});
    b.add({.start_ns = 200'000 + at,
           .duration_ns = 100,
           .name = b.intern("Memcpy HtoD"),
           .track = b.track_of(trace::track_kind::stream, process, 8, 0),
           .correlation = 900 + i,
           .kind = category::copy},
          trace::device_work{.stream = 8, .process = process, .copy = trace::copy_kind::host_to_device});
  }
  const auto t = s.build();
  const auto host = page_of(t, launches_page).at("host");
  EXPECT_EQ(host.at("thread"), "thread 1");
  EXPECT_EQ(host.at("thread_calls"), 5);
  EXPECT_EQ(host.at("launch_calls"), 14);
}

// The host waits for work that was launched before the recording began.
TEST(waits_page, counts_times_from_the_first_event_that_it_shows) {
  const auto t = scene()
                     .api("cudaDeviceSynchronize", 1'000, 500)
                     .kernel("gemm", 200'000, 10'000, 7, {.call_ns = 190'000, .call_length_ns = 2'000})
                     .api("cudaDeviceSynchronize", 195'000, 20'000)
                     .build();
  const auto longest = page_of(t, waits_page).at("longest");
  ASSERT_EQ(longest.size(), 2U);
  std::vector<std::int64_t> starts;
  for (const auto& row : longest) starts.push_back(row.at("start_ns"));
  EXPECT_THAT(starts, testing::UnorderedElementsAre(0, 194'000));
}

constexpr auto frame = "/srv/training/package/of/some/depth/train.py(12): save",
               builtin = "<built-in method item of Tensor object at 0x7f0000000000>";

trace::trace idling_in(std::string_view python) {
  scene s;
  s.kernel("before", 10'000, 5'000, 7, {.call_ns = 0, .call_length_ns = 2'000});
  s.python(python, 20'000, 900'000);
  s.kernel("after", 1'000'000, 5'000, 7, {.call_ns = 990'000, .call_length_ns = 2'000});
  return s.build();
}

TEST(idle_page, names_frames_of_the_interpreter_by_file_line_and_function) {
  EXPECT_THAT(text_of_page(idling_in(frame), idle_page, 200), HasSubstr("python: train.py(12): save"));
  EXPECT_THAT(text_of_page(idling_in(builtin), idle_page, 200), HasSubstr("<built-in method"));
  EXPECT_THAT(text_of_page(idling_in(frame), idle_page, 200, {.full_names = true}),
              HasSubstr(std::string("python: ") + frame));
}

TEST(idle_page, gives_the_pieces_of_gaps_as_rows_whose_times_add_up) {
  const auto page = page_of(idling_in(frame), idle_page);
  const auto& pieces = page.at("pieces").at("0");
  nanoseconds sum = 0;
  bool named = false;
  for (const auto& piece : pieces) {
    sum += piece.at("length_ns").get<nanoseconds>();
    EXPECT_TRUE(piece.at("cause").is_string());
    EXPECT_EQ(piece.at("gap"), 0);
    if (piece.at("cause") != "python") continue;
    named = true;
    EXPECT_EQ(piece.at("part"), "host_late");
    EXPECT_EQ(piece.at("blamed"), frame);
    EXPECT_GE(piece.at("length_ns").get<nanoseconds>(), 890'000);
    EXPECT_TRUE(piece.at("event").is_number());
  }
  EXPECT_TRUE(named) << pieces;
  EXPECT_EQ(sum, 1'000'000 - 15'000);
  EXPECT_EQ(page.at("largest").at("0").at(0).at("length_ns"), sum);
}

// Two kernels that differ in their arguments alone.
constexpr auto bf16 = "void cutlass::Kernel<tensorop_bf16_gemm_128x64>(Params)",
               fp16 = "void cutlass::Kernel<tensorop_f16_gemm_128x64>(Params)";

trace::trace with_alike_kernels(nanoseconds length) {
  scene s;
  for (int i = 0; i < 4; ++i)
    s.kernel(i % 2 == 0 ? bf16 : fp16, 100'000 + i * length, length, 7,
             {.call_ns = i * 5'000, .call_length_ns = 4'000});
  s.api("cudaDeviceSynchronize", 30'000, 70'000 + 4 * length);
  return s.build();
}

TEST(names, of_alike_kernels_stay_different_on_every_page) {
  const auto t = with_alike_kernels(10'000);
  const auto s = scope_of(t, {});
  const auto later = with_alike_kernels(20'000);
  const auto after = scope_of(later, {});
  const report::layout wide{.columns = 120};
  for (const auto& text : {text_of(*critical_path_page(*s), wide), text_of(diff_page(*s, *after), wide)}) {
    EXPECT_THAT(text, HasSubstr("_bf16_"));
    EXPECT_THAT(text, HasSubstr("_f16_"));
    EXPECT_THAT(text, Not(HasSubstr("(Params)")));
  }
  const auto whole = scope_of(t, {.full_names = true}), whole_after = scope_of(later, {.full_names = true});
  for (const auto& text : {text_of(*critical_path_page(*whole), wide),
                           text_of(diff_page(*whole, *whole_after), wide), text_of(waits_page(*whole), wide)})
    EXPECT_THAT(text, HasSubstr(fp16));
}

TEST(names, fit_the_terminal) {
  const auto t = with_alike_kernels(10'000);
  const auto s = scope_of(t, {});
  const auto longest_line = [](const std::string& text) {
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find('\n', at), text.size());
      longest = std::max(longest, end - at);
      at = end + 1;
    }
    return longest;
  };
  constexpr std::size_t bytes_of_signs = 8;  // "µ" and "…" take more bytes than columns
  for (const std::size_t columns : {90U, 140U})
    EXPECT_LE(longest_line(text_of(*critical_path_page(*s), {.columns = columns})), columns + bytes_of_signs);
}

// Ranks that meet in collectives; the last one comes late.
std::vector<trace::trace> meeting(int ranks) {
  std::vector<trace::trace> traces;
  for (int rank = 0; rank < ranks; ++rank) {
    scene s;
    s.builder().facts().source.rank = rank;
    const nanoseconds compute = rank + 1 == ranks ? 90'000 : 50'000 + rank;
    for (int i = 0; i < 20; ++i) {
      const nanoseconds at = 1'000'000 + i * 200'000;
      s.kernel("gemm", at, compute, 7);
      s.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", at + compute, 100'000 - compute, 20);
    }
    traces.push_back(s.build());
  }
  return traces;
}

TEST(communication_page, of_many_ranks_sums_in_text_and_holds_the_whole_matrix_for_programs) {
  const auto traces = meeting(12);
  const auto document = communication_page(traces, {});
  const auto page = json::parse(json_of(document));
  const auto& rows = page.at("waiting");
  ASSERT_EQ(rows.size(), 12U);
  for (const auto& row : rows) {
    nanoseconds sum = 0;
    for (int rank = 0; rank < 12; ++rank) sum += row.at("rank " + std::to_string(rank)).get<nanoseconds>();
    EXPECT_EQ(sum, row.at("all").get<nanoseconds>());
  }
  EXPECT_GT(rows.at(11).at("all").get<nanoseconds>(), 11 * 20 * 30'000);
  const auto text = text_of(document, {.columns = 100});
  EXPECT_THAT(text, HasSubstr("Who made others wait"));
  EXPECT_THAT(text, Not(HasSubstr("Who waits (column)")));
  EXPECT_THAT(text, HasSubstr("rank 11 caused"));
  EXPECT_THAT(text_of(communication_page(meeting(3), {}), {.columns = 100}), HasSubstr("Who waits (column)"));
}

}  // namespace
}  // namespace ridge::trace_report
