// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ridge/trace/ids.hpp>

namespace ridge::trace {

// Who made whom wait: caused(a, b) is how long participant b waited in collectives that participant a joined
// last. The entries sum to the total waiting.
class waiting_matrix {
 public:
  // Makes a matrix of zeros.
  explicit waiting_matrix(std::uint32_t participants);
  // Adds waiting of `sufferer` for `causer`.
  void add(std::uint32_t causer, std::uint32_t sufferer, nanoseconds waited);

  // Number of participants.
  [[nodiscard]] std::uint32_t size() const { return size_; }
  // How long `sufferer` waited for `causer`.
  [[nodiscard]] nanoseconds caused(std::uint32_t causer, std::uint32_t sufferer) const;
  // How long all others waited for `causer`.
  [[nodiscard]] nanoseconds caused_by(std::uint32_t causer) const;
  // How long `sufferer` waited for all others.
  [[nodiscard]] nanoseconds suffered_by(std::uint32_t sufferer) const;
  // All waiting.
  [[nodiscard]] nanoseconds total() const;

  struct culprit {
    std::uint32_t participant = 0;
    nanoseconds caused_ns = 0;
    double share = 0;  // share of all waiting, 0..1
  };
  // Returns who caused the most waiting, the lower index among equals; nullopt where nobody waited.
  [[nodiscard]] std::optional<culprit> worst() const;

 private:
  std::uint32_t size_ = 0;
  std::vector<nanoseconds> caused_{};
};

}  // namespace ridge::trace
