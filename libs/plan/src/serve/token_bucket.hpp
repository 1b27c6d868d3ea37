// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace ridge::plan::serve {

// A token bucket that is full at the start: a request passes when there are enough tokens for it.
class token_bucket {
 public:
  token_bucket(double tokens_per_s, double depth) : rate_(tokens_per_s), depth_(depth), level_(depth) {}
  [[nodiscard]] bool take(double now_s, double tokens) {
    level_ = std::min(depth_, level_ + rate_ * (now_s - last_s_));
    last_s_ = now_s;
    if (level_ < tokens) return false;
    level_ -= tokens;
    return true;
  }

 private:
  double rate_, depth_, level_, last_s_ = 0;
};

}  // namespace ridge::plan::serve
