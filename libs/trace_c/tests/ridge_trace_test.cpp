// SPDX-License-Identifier: Apache-2.0
#include <ridge_trace.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "fixtures/data.hpp"

namespace {

using ridge::trace::fixtures::data_file;
using ::testing::HasSubstr;

struct closer {
  void operator()(ridge_traces* t) const { ridge_trace_close(t); }
  void operator()(ridge_trace_table* t) const { ridge_trace_table_close(t); }
};
using traces = std::unique_ptr<ridge_traces, closer>;
using table = std::unique_ptr<ridge_trace_table, closer>;

traces two_ranks() {
  traces t(ridge_trace_new());
  for (int rank = 0; rank < 2; ++rank) {
    const auto path = data_file("traces/hta/trace_filter/sampled_rank-" + std::to_string(rank) + ".json");
    EXPECT_EQ(ridge_trace_add(t.get(), path.c_str(), rank), ridge_trace_ok) << ridge_trace_error(t.get());
  }
  return t;
}

int ask(ridge_traces* t, const char* question, std::vector<const char*> names,
        std::vector<const char*> values, table& answer) {
  ridge_trace_table* made = nullptr;
  const int status = ridge_trace_ask(t, question, names.size(), names.data(), values.data(), &made);
  answer.reset(made);
  return status;
}

std::size_t place(const table& t, std::string_view name) {
  for (std::size_t i = 0; i < ridge_trace_columns(t.get()); ++i)
    if (ridge_trace_column_name(t.get(), i) == name) return i;
  ADD_FAILURE() << "no column " << name;
  return 0;
}

std::string text_at(const table& t, std::size_t column, std::size_t row) {
  const auto* ends = ridge_trace_text_offsets(t.get(), column);
  return {ridge_trace_text_bytes(t.get(), column) + ends[row],
          static_cast<std::size_t>(ends[row + 1] - ends[row])};
}

TEST(ridge_trace, answers_with_typed_columns_that_outlive_the_traces) {
  auto t = two_ranks();
  table idle;
  ASSERT_EQ(ask(t.get(), "idle_time", {"ranks", "streams"}, {"1", "7"}, idle), ridge_trace_ok)
      << ridge_trace_error(t.get());
  t.reset();
  ASSERT_EQ(ridge_trace_rows(idle.get()), 3U);
  const auto stream = place(idle, "stream"), cause = place(idle, "cause"), time = place(idle, "idle_us");
  EXPECT_EQ(ridge_trace_column_type(idle.get(), stream), ridge_trace_int64);
  EXPECT_EQ(ridge_trace_column_type(idle.get(), cause), ridge_trace_text);
  EXPECT_EQ(ridge_trace_column_type(idle.get(), time), ridge_trace_double);
  EXPECT_EQ(ridge_trace_integers(idle.get(), stream)[2], 7);
  EXPECT_EQ(text_at(idle, cause, 0), "host_wait");
  EXPECT_EQ(text_at(idle, cause, 2), "other");
  EXPECT_GT(ridge_trace_doubles(idle.get(), time)[0], 0);
  EXPECT_EQ(ridge_trace_doubles(idle.get(), stream), nullptr);
  EXPECT_EQ(ridge_trace_text_bytes(idle.get(), time), nullptr);
}

TEST(ridge_trace, refuses_with_a_sentence) {
  auto t = two_ranks();
  const auto refusal = [&](const char* question, std::vector<const char*> names,
                           std::vector<const char*> values) {
    table none;
    EXPECT_EQ(ask(t.get(), question, std::move(names), std::move(values), none), ridge_trace_wrong_use);
    EXPECT_EQ(none, nullptr);
    return std::string(ridge_trace_error(t.get()));
  };
  EXPECT_THAT(refusal("idle", {}, {}),
              HasSubstr("there is no table idle; there are annotated_works, annotations, "));
  EXPECT_THAT(refusal("launches", {"rank"}, {"0"}),
              HasSubstr("launches has no argument rank; it has memory_calls"));
  EXPECT_THAT(refusal("launches", {"ranks"}, {"7"}), HasSubstr("no rank 7; there are the ranks 0, 1"));
  EXPECT_THAT(refusal("launches", {"ranks"}, {"0,x"}), HasSubstr("a list of whole numbers"));
  EXPECT_THAT(refusal("launches", {"memory_calls"}, {"2"}), HasSubstr("0 or 1"));
  EXPECT_THAT(refusal("kernels", {"sums_shown"}, {"nan"}), HasSubstr("0 to 1 is wanted"));
  EXPECT_THAT(refusal("kernel_sequences", {}, {}), HasSubstr("aten::linear"));
  EXPECT_EQ(ridge_trace_set(t.get(), "last_step", "yes"), ridge_trace_wrong_use);
  EXPECT_EQ(ridge_trace_set(t.get(), "colour", "1"), ridge_trace_wrong_use);
  EXPECT_THAT(ridge_trace_error(t.get()), HasSubstr("rank_pattern"));
  EXPECT_EQ(ridge_trace_set(t.get(), "last_step", "1"), ridge_trace_ok);
  EXPECT_STREQ(ridge_trace_error(t.get()), "");
}

TEST(ridge_trace, adds_a_rank_once_and_nothing_that_is_no_trace) {
  auto t = two_ranks();
  const auto path = data_file("traces/hta/trace_filter/sampled_rank-0.json");
  EXPECT_EQ(ridge_trace_add(t.get(), path.c_str(), 1), ridge_trace_wrong_use);
  EXPECT_THAT(ridge_trace_error(t.get()), HasSubstr("is rank 1, and so is"));
  EXPECT_EQ(ridge_trace_add(t.get(), data_file("traces/malformed/html_error_page.json").c_str(), 5),
            ridge_trace_unreadable);
  EXPECT_EQ(ridge_trace_add(t.get(), "no/such/file", -1), ridge_trace_unreadable);
  table ranks;
  ASSERT_EQ(ask(t.get(), "ranks", {}, {}, ranks), ridge_trace_ok);
  EXPECT_EQ(ridge_trace_rows(ranks.get()), 2U);
}

TEST(ridge_trace, tells_what_the_traces_do_not_hold) {
  auto t = two_ranks();
  table none;
  EXPECT_EQ(ask(t.get(), "annotations", {}, {}, none), ridge_trace_no_answer);
  EXPECT_THAT(ridge_trace_error(t.get()), HasSubstr("no annotation of the device"));
  EXPECT_EQ(ask(t.get(), "critical_path", {"annotation", "first"}, {"ProfilerStep", "99"}, none),
            ridge_trace_no_answer);
  EXPECT_THAT(ridge_trace_error(t.get()), HasSubstr("99"));
}

TEST(ridge_trace, takes_nothing_for_nothing) {
  ridge_trace_close(nullptr);
  ridge_trace_table_close(nullptr);
  EXPECT_EQ(ridge_trace_add(nullptr, "a", 0), ridge_trace_wrong_use);
  EXPECT_EQ(ridge_trace_rows(nullptr), 0U);
  EXPECT_EQ(ridge_trace_column_name(nullptr, 0), nullptr);
  EXPECT_EQ(ridge_trace_column_type(nullptr, 0), -1);
  traces t(ridge_trace_new());
  EXPECT_EQ(ridge_trace_add(t.get(), nullptr, 0), ridge_trace_wrong_use);
  table none;
  EXPECT_EQ(ask(t.get(), "ranks", {}, {}, none), ridge_trace_wrong_use);
  EXPECT_THAT(ridge_trace_error(t.get()), HasSubstr("no trace is open"));
  EXPECT_EQ(ridge_trace_api_version(), RIDGE_TRACE_API_VERSION);
}

}  // namespace
