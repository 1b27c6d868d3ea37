// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/waiting.hpp>

#include <numeric>

#include <ridge/base/expects.hpp>

namespace ridge::trace {

waiting_matrix::waiting_matrix(std::uint32_t participants)
    : size_(participants), caused_(std::size_t{participants} * participants) {}

void waiting_matrix::add(std::uint32_t causer, std::uint32_t sufferer, nanoseconds waited) {
  expects(causer < size_ && sufferer < size_, "waiting_matrix: a participant that is not there");
  caused_[std::size_t{causer} * size_ + sufferer] += waited;
}

nanoseconds waiting_matrix::caused(std::uint32_t causer, std::uint32_t sufferer) const {
  expects(causer < size_ && sufferer < size_, "waiting_matrix: a participant that is not there");
  return caused_[std::size_t{causer} * size_ + sufferer];
}

nanoseconds waiting_matrix::caused_by(std::uint32_t causer) const {
  nanoseconds sum = 0;
  for (std::uint32_t s = 0; s < size_; ++s) sum += caused(causer, s);
  return sum;
}

nanoseconds waiting_matrix::suffered_by(std::uint32_t sufferer) const {
  nanoseconds sum = 0;
  for (std::uint32_t c = 0; c < size_; ++c) sum += caused(c, sufferer);
  return sum;
}

nanoseconds waiting_matrix::total() const { return std::reduce(caused_.begin(), caused_.end()); }

std::optional<waiting_matrix::culprit> waiting_matrix::worst() const {
  culprit worst;
  for (std::uint32_t c = 0; c < size_; ++c)
    if (const auto caused = caused_by(c); caused > worst.caused_ns) worst = {c, caused, 0};
  if (worst.caused_ns == 0) return std::nullopt;
  worst.share = static_cast<double>(worst.caused_ns) / static_cast<double>(total());
  return worst;
}

}  // namespace ridge::trace
