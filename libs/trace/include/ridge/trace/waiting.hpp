// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ridge/trace/ids.hpp>

namespace ridge::trace {

// caused(a, b): how long participant b waited in collectives for which participant a came last. Its entries
// sum to the total waiting.
class waiting_matrix {
 public:
  explicit waiting_matrix(std::uint32_t participants);
  void add(std::uint32_t causer, std::uint32_t sufferer, nanoseconds waited);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] nanoseconds caused(std::uint32_t causer, std::uint32_t sufferer) const;
  [[nodiscard]] nanoseconds caused_by(std::uint32_t causer) const;
  [[nodiscard]] nanoseconds suffered_by(std::uint32_t sufferer) const;
  [[nodiscard]] nanoseconds total() const;

  struct culprit {
    std::uint32_t participant = 0;
    nanoseconds caused_ns = 0;
    double share = 0;  // of all waiting, 0..1
  };
  // Who caused the most; the lower index among equals. nullopt: nobody waited.
  [[nodiscard]] std::optional<culprit> worst() const;

 private:
  std::uint32_t size_ = 0;
  std::vector<nanoseconds> caused_{};
};

}  // namespace ridge::trace
