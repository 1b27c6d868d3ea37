// SPDX-License-Identifier: Apache-2.0
#include "train/schedule.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/train/training_plan.hpp>

namespace ridge::plan::train {
namespace {

TEST(split_layers, counts_embedding_and_head_as_layers_where_they_fill_the_chunks) {
  const auto s = split_layers(126, {.pipeline = 8, .virtual_pipeline = 8});
  EXPECT_EQ(s.first, 15);
  EXPECT_EQ(s.middle, 16);
  EXPECT_EQ(s.last, 15);
}

TEST(split_layers, divides_evenly_where_it_can) {
  const auto s = split_layers(105, {.pipeline = 35, .virtual_pipeline = 3});
  EXPECT_EQ(s.first, 3);
  EXPECT_EQ(s.middle, 3);
  EXPECT_EQ(s.last, 3);
}

TEST(split_layers, one_stage_has_all) { EXPECT_EQ(split_layers(32, {}).last, 32); }

TEST(bubble, is_one_pass_of_every_other_stage_over_the_chunks) {
  EXPECT_DOUBLE_EQ((stage_loads{1, 1, 1, 8, 1}.bubble_s()), 7);
  EXPECT_DOUBLE_EQ((stage_loads{1, 1, 1, 8, 7}.bubble_s()), 1);
  EXPECT_DOUBLE_EQ((stage_loads{1, 1, 1, 1, 1}.bubble_s()), 0);
}

TEST(bubble, waits_for_a_heavier_last_stage_only_outside_the_ramp) {
  const stage_loads s{.first_s = 2, .middle_s = 2, .last_s = 3, .pipeline = 4, .virtual_pipeline = 1};
  EXPECT_DOUBLE_EQ(s.slowest_s(), 3);
  EXPECT_DOUBLE_EQ(s.bubble_s(), 6);
}

TEST(micro_batches, rounds_up_and_is_never_none) {
  EXPECT_EQ(micro_batches(1152, 4, 1), 288);
  EXPECT_EQ(micro_batches(10, 4, 1), 3);
  EXPECT_EQ(micro_batches(1, 64, 8), 1);
}

// The passes of a rank of DualPipe in order, as deepseek-ai/DualPipe takes them. Direction 0 enters at stage
// 0; `second` is the backward pass beside a forward one.
struct pass {
  enum sort { forward, backward, inputs_alone, weights, paired } kind = forward;
  int direction = 0, micro_batch = 0, second = 0;
};

class dual_pipe_rank {
 public:
  dual_pipe_rank(int rank, int pipeline, int micro_batches) : mirrored_(rank >= pipeline / 2) {
    const int half = pipeline / 2, r = std::min(rank, pipeline - 1 - rank), ramp = half - r - 1;
    for (int i = 0; i < 2 * ramp; ++i) add(pass::forward, 0);
    for (int i = 0; i <= r; ++i) add(pass::forward, 0), add(pass::forward, 1);
    for (int i = 0; i < ramp; ++i) add(pass::inputs_alone, 1), add(pass::weights, 0), add(pass::forward, 1);
    for (int i = 0; i < micro_batches / 2 - pipeline + r + 1; ++i) {
      if (i == 0 && ramp == 0)
        add(pass::forward, 0), add(pass::backward, 1);
      else
        add(pass::paired, 0);
      add(pass::paired, 1);
    }
    for (int i = 0; i < ramp; ++i) add(pass::backward, 1), add(pass::paired, 1);
    drain(r, ramp);
  }
  [[nodiscard]] const std::vector<pass>& all() const { return all_; }

 private:
  void add(pass::sort kind, int phase) {
    const int d = mirrored_ ? 1 - phase : phase;
    pass p{kind, d};
    if (kind == pass::forward || kind == pass::paired) p.micro_batch = forward_[d]++;
    if (kind == pass::backward || kind == pass::inputs_alone) p.micro_batch = backward_[d]++;
    if (kind == pass::paired) p.second = backward_[1 - d]++;
    all_.push_back(p);
  }
  // From the middle of the last pairs on, gradients of weights wait.
  void drain(int r, int ramp) {
    bool wait = false;
    const auto last = [&](int phase) { add(wait ? pass::inputs_alone : pass::backward, phase); };
    for (int i = 0; i <= r; ++i) {
      const bool turn = i == (r + 1) / 2;
      wait = wait || (turn && r % 2 == 1);
      last(1);
      wait = wait || (turn && r % 2 == 0);
      last(0);
    }
    for (int i = 0; i < ramp; ++i) add(pass::weights, 0), add(pass::inputs_alone, 0);
    for (int i = 0; i <= r; ++i) add(pass::weights, 0);
  }

  bool mirrored_;
  int forward_[2]{}, backward_[2]{};
  std::vector<pass> all_{};
};

class dual_pipe_run {
 public:
  dual_pipe_run(int pipeline, int micro_batches, const dual_pipe_passes& seconds)
      : pipeline_(pipeline), seconds_(seconds), progress_(static_cast<std::size_t>(pipeline)) {
    for (int i = 0; i < pipeline; ++i) ranks_.emplace_back(i, pipeline, micro_batches);
  }
  // Seconds until all passes of all ranks are done; each waits for those that it needs.
  double total_s() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int r = 0; r < pipeline_; ++r)
        while (step(r)) moved = true;
    }
    double last = 0;
    for (std::size_t r = 0; r < progress_.size(); ++r) {
      EXPECT_EQ(progress_[r].next, ranks_[r].all().size());
      last = std::max(last, progress_[r].time);
    }
    return last;
  }

 private:
  using key = std::tuple<bool, int, int, int>;  // backward, direction, stage, micro-batch
  struct progress {
    std::size_t next = 0;
    double time = 0;
  };
  [[nodiscard]] int stage(int rank, int direction) const {
    return direction == 0 ? rank : pipeline_ - 1 - rank;
  }
  [[nodiscard]] std::optional<double> done(const key& k) const {
    const auto at = done_.find(k);
    return at == done_.end() ? std::nullopt : std::optional(at->second);
  }
  [[nodiscard]] std::optional<double> ready(bool backward, int d, int s, int m) const {
    if (!backward) return s == 0 ? 0 : done({false, d, s - 1, m});
    return s == pipeline_ - 1 ? done({false, d, s, m}) : done({true, d, s + 1, m});
  }
  bool step(int rank) {
    auto& now = progress_[static_cast<std::size_t>(rank)];
    const auto& all = ranks_[static_cast<std::size_t>(rank)].all();
    if (now.next == all.size()) return false;
    const auto& p = all[now.next];
    const int d = p.direction, s = stage(rank, d), other = stage(rank, 1 - d);
    const bool back = p.kind == pass::backward || p.kind == pass::inputs_alone;
    const auto first = p.kind == pass::weights ? 0 : ready(back, d, s, p.micro_batch);
    const auto second = p.kind == pass::paired ? ready(true, 1 - d, other, p.second) : 0;
    if (!first || !second) return false;
    const double lasts[] = {seconds_.forward_s, seconds_.backward_s, seconds_.backward_s - seconds_.weights_s,
                            seconds_.weights_s, seconds_.paired_s};
    now.time = std::max({now.time, *first, *second}) + lasts[p.kind];
    ++now.next;
    if (p.kind != pass::weights) done_[{back, d, s, p.micro_batch}] = now.time;
    if (p.kind == pass::paired) done_[{true, 1 - d, other, p.second}] = now.time;
    return true;
  }

  int pipeline_;
  dual_pipe_passes seconds_;
  std::vector<dual_pipe_rank> ranks_{};
  std::vector<progress> progress_;
  std::map<key, double> done_{};
};

TEST(dual_pipe, closed_form_is_the_time_of_the_schedule) {
  const dual_pipe_passes all[] = {{1, 2, 1, 3}, {1, 2, 0.9, 2.5}, {1.5, 3, 1, 3.2}, {1.5, 3, 1, 4.5}};
  for (const auto& t : all)
    for (const auto& [p, m] : {std::pair{4, 8}, {4, 40}, {8, 20}, {16, 32}, {16, 120}}) {
      const double run = dual_pipe_run(p, m, t).total_s();
      EXPECT_NEAR(dual_pipe_s(t, p, m) / run, 1, 0.025) << p << ' ' << m << ' ' << t.paired_s;
    }
}

TEST(dual_pipe, needs_even_stages_and_enough_micro_batches) {
  training_plan p;
  p.layout.pipeline = 4;
  p.schedule = pipeline_schedule::dual_pipe;
  EXPECT_TRUE(schedule_holds(p, 8));
  EXPECT_FALSE(schedule_holds(p, 9));
  EXPECT_FALSE(schedule_holds(p, 6));
  p.layout.virtual_pipeline = 2;
  EXPECT_FALSE(check_schedule(p, 8).ok());
  p.layout = {.pipeline = 3};
  EXPECT_THAT(check_schedule(p, 8).why().message, testing::HasSubstr("3 stages"));
}

}  // namespace
}  // namespace ridge::plan::train
