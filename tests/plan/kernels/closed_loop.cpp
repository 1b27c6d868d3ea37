// SPDX-License-Identifier: Apache-2.0
#include "closed_loop.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <queue>
#include <vector>

#include <ridge/base/splitmix.hpp>

namespace ridge::plan_test {
namespace {

using plan::serve::iteration;

constexpr double never = std::numeric_limits<double>::infinity();

struct request {
  double sent_s = 0, ready_s = 0;  // when its client sent it; when the scheduler has it
  std::int64_t input = 0, output = 0;
  std::int64_t done = 0;  // computed tokens of the prompt
  double first_token_s = 0;
  std::int64_t ends_at_step = 0;

  [[nodiscard]] std::int64_t tokens() const { return input + output; }
};
struct later {
  bool operator()(const request& a, const request& b) const { return a.ends_at_step > b.ends_at_step; }
};

// A number of [0, 1) for the n-th request.
double draw(std::uint64_t n) {
  return static_cast<double>(splitmix_finalizer((n + 1) * splitmix_increment) >> 11U) * 0x1p-53;
}

class loop {
 public:
  loop(const closed_loop& scenario, const plan::kernels::engine_profile& engine,
       const plan::serve::iteration_timer& timer)
      : loop_(scenario), engine_(engine), timer_(timer) {
    for (std::int64_t c = 0; c < std::min(scenario.clients, scenario.requests); ++c) send();
  }

  closed_loop_result run() {
    while (finished_ < loop_.requests) advance();
    const auto n = static_cast<double>(finished_);
    return {ttft_sum_ / n, tpot_sum_ / n, steps_};
  }

 private:
  [[nodiscard]] std::int64_t length(std::int64_t most, std::uint64_t n) const {
    const auto l = static_cast<double>(most) * (loop_.shortest + (1 - loop_.shortest) * draw(n));
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(l));
  }

  void send() {
    front_end_free_s_ = std::max(front_end_free_s_, now_) + engine_.overheads.front_end_s;
    const auto n = static_cast<std::uint64_t>(sent_++);
    queue_.push_back({now_, front_end_free_s_ + engine_.overheads.request_s,
                      length(loop_.input_tokens, 2 * n), length(loop_.output_tokens, 2 * n + 1)});
  }

  [[nodiscard]] bool fits(const request& r) const {
    return loop_.cache_tokens <= 0 || reserved_ == 0 || reserved_ + r.tokens() <= loop_.cache_tokens;
  }
  [[nodiscard]] bool may_start(const request& r) const {
    return r.done > 0 || (r.ready_s <= now_ && fits(r));
  }

  void advance() {
    if (!queue_.empty() && may_start(queue_.front()))
      step_with_prompts();
    else if (running_.empty())
      now_ = queue_.front().ready_s;
    else
      decode_until_next();
  }

  // Runs decode steps until the first running request ends or a new one arrives.
  void decode_until_next() {
    const auto b = static_cast<std::int64_t>(running_.size());
    const auto line = timer_.decode(b, context_ + b);
    auto steps = std::max<std::int64_t>(running_.top().ends_at_step - step_, 1);
    if (line.up_to_context < std::numeric_limits<std::int64_t>::max())
      steps = std::clamp<std::int64_t>((line.up_to_context - context_) / b, 1, steps);
    const double first = line.base_s + line.per_context_s * static_cast<double>(context_ + b);
    const bool comes = !queue_.empty() && fits(queue_.front());
    const double wait = comes ? queue_.front().ready_s - now_ : never;
    if (wait < never) steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(wait / first) + 1, 1, steps);
    const auto k = static_cast<double>(steps);
    pass(k * first + line.per_context_s * static_cast<double>(b) * k * (k - 1) / 2, steps, b);
    end_finished();
  }

  void pass(double seconds, std::int64_t steps, std::int64_t decoding) {
    now_ += seconds;
    steps_ += steps;
    if (decoding == 0) return;  // decoding requests were halted: their tokens are counted by steps
    step_ += steps;
    context_ += decoding * steps;
  }

  void step_with_prompts() {
    iteration i;
    const auto b = engine_.mixed ? static_cast<std::int64_t>(running_.size()) : 0;
    i.decode_sequences = i.decode_tokens = b;
    i.decode_context = b == 0 ? 0 : context_ + b;
    std::vector<request> first_tokens;
    auto budget = std::max<std::int64_t>(engine_.max_batched_tokens - b, 1);
    while (budget > 0 && !queue_.empty() && may_start(queue_.front())) {
      auto& r = queue_.front();
      const auto left = r.input - r.done;
      if (!engine_.chunked_prefill && left > budget && i.prefill_sequences > 0) break;
      const auto c = engine_.chunked_prefill ? std::min(left, budget) : left;
      if (r.done == 0) reserved_ += r.tokens();
      i.prefill_tokens += c, ++i.prefill_sequences, i.prefill_context += r.done;
      i.prefill_pairs +=
          static_cast<double>(c) * (static_cast<double>(r.done) + (static_cast<double>(c) + 1) / 2);
      r.done += c;
      budget -= c;
      if (r.done < r.input) break;
      first_tokens.push_back(r);
      queue_.pop_front();
    }
    i.sampled = b + static_cast<std::int64_t>(first_tokens.size());
    pass(timer_.seconds(i), 1, b);
    for (auto& r : first_tokens) begin_decoding(r);
    end_finished();
  }

  void begin_decoding(request& r) {
    ttft_sum_ += now_ - r.sent_s;
    r.first_token_s = now_;
    r.ends_at_step = step_ + r.output - 1;
    context_ += r.input;
    running_.push(r);
  }

  void end_finished() {
    while (!running_.empty() && running_.top().ends_at_step <= step_) {
      const auto& r = running_.top();
      if (r.output > 1) tpot_sum_ += (now_ - r.first_token_s) / static_cast<double>(r.output - 1);
      context_ -= r.tokens() - 1;
      reserved_ -= r.tokens();
      running_.pop();
      ++finished_;
      if (sent_ < loop_.requests) send();
    }
  }

  const closed_loop& loop_;
  const plan::kernels::engine_profile& engine_;
  const plan::serve::iteration_timer& timer_;
  std::deque<request> queue_{};
  std::priority_queue<request, std::vector<request>, later> running_{};
  double now_ = 0, front_end_free_s_ = 0, ttft_sum_ = 0, tpot_sum_ = 0;
  std::int64_t step_ = 0, steps_ = 0, context_ = 0, reserved_ = 0, sent_ = 0, finished_ = 0;
};

}  // namespace

closed_loop_result run(const closed_loop& scenario, const plan::kernels::engine_profile& engine,
                       const plan::serve::iteration_timer& timer) {
  return loop(scenario, engine, timer).run();
}

}  // namespace ridge::plan_test
