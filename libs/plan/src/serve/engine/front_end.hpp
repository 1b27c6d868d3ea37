// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine_context.hpp"

namespace ridge::plan::serve {

// A request in the front end, which the scheduler sees from `ready_s` on.
struct entering_request {
  request_id id = 0;
  bool local = false;
  double ready_s = 0;
};

// The way of requests to the scheduler: front_end_s one after another, then request_s beside each other.
class front_end {
 public:
  explicit front_end(const engine_context& context) : context_(&context) {}

  void enter(request_id request, double now_s, bool local) {
    const auto& settings = context_->settings;
    free_s_ = std::max(free_s_, now_s) + settings.front_end_s;
    line_.push_back({request, local, free_s_ + settings.request_s});
    tokens_ += context_->requests->input_tokens(request);
  }
  [[nodiscard]] bool empty() const { return line_.empty(); }
  // When the scheduler sees the first of them; engine::never_s without any.
  [[nodiscard]] double next_s() const { return empty() ? engine::never_s : line_[first_].ready_s; }
  entering_request take();
  // Removes a request that its client gives up; false when it is not here.
  bool remove(request_id request);
  // Appends the requests in it to `lost` and is empty from then on.
  void fail(double now_s, std::vector<request_id>& lost);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(line_.size() - first_); }
  // Tokens of their prompts.
  [[nodiscard]] std::uint64_t tokens() const { return tokens_; }
  // Seconds until it has handled them all.
  [[nodiscard]] double left_s(double now_s) const { return std::max(0.0, free_s_ - now_s); }

 private:
  const engine_context* context_;
  std::vector<entering_request> line_{};  // in order of ready_s; those before `first_` have left
  std::size_t first_ = 0;
  std::uint64_t tokens_ = 0;
  double free_s_ = 0;
};

}  // namespace ridge::plan::serve
