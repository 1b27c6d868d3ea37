// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ridge/host/child_process.hpp>
#include <ridge/host/shared_region.hpp>

#include "child/in_child.hpp"
#include "child/stepped_child.hpp"
#include "run/family_state.hpp"
#include "verify/lone_times.hpp"

namespace ridge::harness {

// One variant in a process of its own, bound to members in memory that this process shares with it. The
// process is stopped, with all its threads, but for the steps that it is asked for. What it says of its
// seconds lies in memory that the processes of variants made later do not have.
class lone_variant {
 public:
  // Forks the process, where the variant is bound to the members, all of them; they outlive this. A step that
  // takes longer than `limit_s` ends it.
  lone_variant(const family_state& family, std::size_t variant, std::vector<keyed_member*> members,
               double limit_s);

  // Each waits for the variant's process and returns whether that is still there.
  [[nodiscard]] bool bound();
  // The inputs of a member are converted.
  [[nodiscard]] bool stage(std::size_t member);
  // So many times in a row `n` calls, shared out over `members` members from `first` on.
  [[nodiscard]] bool call(std::size_t first, std::size_t members, std::uint64_t n, std::uint64_t times);
  // Seconds of the first and of the last n calls together, as the variant's process read them, whatever it
  // wrote there; and of all of them as this one did, with the switch to that process and back.
  [[nodiscard]] lone_times times() const;

  // Ends the process. Returns what was wrong with its end or with an end before; its reason is empty where
  // nothing was.
  [[nodiscard]] silent_end end();

 private:
  struct order;
  [[nodiscard]] static std::string work(const family_state& family, std::size_t variant,
                                        const std::vector<keyed_member*>& members, order& orders,
                                        const std::function<void()>& next);
  [[nodiscard]] bool is_back();
  [[nodiscard]] bool step();

  memory_watch control_group_{};
  host::shared_region memory_;
  order* orders_;
  double limit_s_;
  std::optional<stepped_child> child_{};
  bool here_ = true, twice_ = false;
  double outside_s_ = 0;
};

}  // namespace ridge::harness
