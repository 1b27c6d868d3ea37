// SPDX-License-Identifier: Apache-2.0
#include "front_end.hpp"

namespace ridge::plan::serve {

entering_request front_end::take() {
  constexpr std::size_t many = 256;  // so many that moving the others up costs little for each
  const auto one = line_[first_++];
  if (first_ == line_.size() || (first_ >= many && 2 * first_ >= line_.size())) {
    line_.erase(line_.begin(), line_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  tokens_ -= context_->requests->input_tokens(one.id);
  return one;
}

bool front_end::remove(request_id request) {
  const auto here = line_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto found = std::find_if(here, line_.end(), [&](const auto& e) { return e.id == request; });
  if (found == line_.end()) return false;
  tokens_ -= context_->requests->input_tokens(request);
  line_.erase(found);
  if (first_ == line_.size()) line_.clear(), first_ = 0;
  return true;
}

void front_end::fail(double now_s, std::vector<request_id>& lost) {
  for (auto i = first_; i < line_.size(); ++i) lost.push_back(line_[i].id);
  line_.clear();
  first_ = 0;
  tokens_ = 0;
  free_s_ = now_s;
}

}  // namespace ridge::plan::serve
