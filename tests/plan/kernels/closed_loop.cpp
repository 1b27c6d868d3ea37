// SPDX-License-Identifier: Apache-2.0
#include "closed_loop.hpp"

#include <algorithm>
#include <deque>
#include <limits>

namespace ridge::plan_test {
namespace {

using plan::serve::iteration;

constexpr double never = std::numeric_limits<double>::infinity();

struct waiting {
  double sent_s = 0, ready_s = 0;  // by its client; at the scheduler
  std::int64_t done = 0;  // tokens of the prompt
};
struct running {
  double first_token_s = 0;
  std::int64_t ends_at_step = 0;
};

// One engine: requests are alike, so they end in the order in which they got their first token.
class loop {
 public:
  loop(const closed_loop& of, const plan::serve::iteration_timer& timer) : of_(of), timer_(timer) {
    for (std::int64_t c = 0; c < std::min(of.clients, of.requests); ++c) send();
  }

  closed_loop_result run() {
    while (finished_ < of_.requests) advance();
    const auto n = static_cast<double>(finished_);
    return {ttft_sum_ / n, tpot_sum_ / n, steps_};
  }

 private:
  void send() {
    queue_.push_back({now_, now_ + of_.request_s, 0});
    ++sent_;
  }

  void advance() {
    const bool prompts = has_prompt();
    if (!prompts && running_.empty()) {
      now_ = queue_.front().ready_s;
      return;
    }
    if (prompts)
      step_with_prompts();
    else
      decode_until_next();
  }

  [[nodiscard]] bool has_prompt() const {
    if (queue_.empty()) return false;
    const bool room = static_cast<std::int64_t>(running_.size()) + admitted_ < of_.max_running;
    return queue_.front().done > 0 || (queue_.front().ready_s <= now_ && room);
  }

  // Steps until the first of the running ends or a request comes.
  void decode_until_next() {
    const auto b = static_cast<std::int64_t>(running_.size());
    const auto line = timer_.decode(b, context_ + b);
    auto steps = std::max<std::int64_t>(running_.front().ends_at_step - step_, 1);
    if (line.up_to_context < std::numeric_limits<std::int64_t>::max())
      steps = std::clamp<std::int64_t>((line.up_to_context - context_) / b, 1, steps);
    const double first = line.base_s + line.per_context_s * static_cast<double>(context_ + b);
    const double wait = queue_.empty() || static_cast<std::int64_t>(running_.size()) >= of_.max_running
                            ? never : queue_.front().ready_s - now_;
    if (wait < never && first > 0)
      steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(wait / first) + 1, 1, steps);
    const auto k = static_cast<double>(steps);
    const double seconds = k * first + line.per_context_s * static_cast<double>(b) * k * (k - 1) / 2;
    tokens(seconds, steps, b);
    end_finished();
  }

  void tokens(double seconds, std::int64_t steps, std::int64_t b) {
    now_ += seconds;
    step_ += steps;
    steps_ += steps;
    context_ += b * steps;
  }

  void step_with_prompts() {
    iteration i;
    const auto b = of_.mixed ? static_cast<std::int64_t>(running_.size()) : 0;
    i.decode_sequences = i.decode_tokens = b;
    i.decode_context = b == 0 ? 0 : context_ + b;
    std::int64_t budget = std::max<std::int64_t>(of_.max_batched_tokens - b, 1), ended = 0;
    auto at = queue_.begin();
    while (budget > 0 && at != queue_.end()) {
      const bool room = static_cast<std::int64_t>(running_.size()) + ended + 1 <= of_.max_running;
      if (at->done == 0 && (at->ready_s > now_ || !room)) break;
      const auto left = of_.input_tokens - at->done;
      if (!of_.chunked && left > budget && i.prefill_sequences > 0) break;
      const auto c = of_.chunked ? std::min(left, budget) : left;
      const auto k = at->done, tokens = c;
      i.prefill_tokens += tokens, ++i.prefill_sequences, i.prefill_context += k;
      i.prefill_pairs += static_cast<double>(c) * (static_cast<double>(k) + (static_cast<double>(c) + 1) / 2);
      at->done += c;
      budget -= c;
      if (at->done < of_.input_tokens) break;
      ++ended, ++at;
    }
    i.sampled = b + ended;
    tokens(timer_.seconds(i), b > 0 ? 1 : 0, b);
    if (b == 0) ++steps_;
    // A step of prompts alone halts those that decode: their tokens are counted by steps.
    for (std::int64_t e = 0; e < ended; ++e) {
      ttft_sum_ += now_ - queue_.front().sent_s;
      running_.push_back({now_, step_ + of_.output_tokens - 1});
      context_ += of_.input_tokens;
      queue_.pop_front();
    }
    end_finished();
  }

  void end_finished() {
    while (!running_.empty() && running_.front().ends_at_step <= step_) {
      if (of_.output_tokens > 1)
        tpot_sum_ += (now_ - running_.front().first_token_s) / static_cast<double>(of_.output_tokens - 1);
      context_ -= of_.input_tokens + of_.output_tokens - 1;
      running_.pop_front();
      ++finished_;
      if (sent_ < of_.requests) send();
    }
  }

  const closed_loop& of_;
  const plan::serve::iteration_timer& timer_;
  std::deque<waiting> queue_{};
  std::deque<running> running_{};
  double now_ = 0, ttft_sum_ = 0, tpot_sum_ = 0;
  std::int64_t step_ = 0, steps_ = 0, context_ = 0, sent_ = 0, finished_ = 0, admitted_ = 0;
};

}  // namespace

closed_loop_result run(const closed_loop& of, const plan::serve::iteration_timer& timer) {
  return loop(of, timer).run();
}

}  // namespace ridge::plan_test
