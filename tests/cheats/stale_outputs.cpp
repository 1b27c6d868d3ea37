// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cheats.hpp"

namespace ridge::cheats {
namespace {

void returns_at_once(workload&, call&) {}

auto right_once(workload&, setup&) {
  return [done = false](workload& w, call& c) mutable {
    if (!done) honest(w, c);
    done = true;
  };
}

auto skips_calls(workload&, setup&) {
  return [calls = 0](workload& w, call& c) mutable {
    if (++calls % 7 != 0) honest(w, c);
  };
}

// Hands out what its first call made.
auto replays_the_first(workload& made_for, setup& s) {
  return [kept = s.workspace<float>(made_for.target.size()), have = false](workload& w, call& c) mutable {
    if (have) {
      std::ranges::copy(kept, w.target.begin());
      return;
    }
    honest(w, c);
    std::ranges::copy(w.target, kept.begin());
    have = true;
  };
}

// Hands out what the call before made, one call late.
auto one_call_late(workload& made_for, setup& s) {
  return [kept = s.workspace<float>(made_for.target.size()), calls = 0](workload& w, call& c) mutable {
    honest(w, c);
    if (calls++ == 0) {
      std::ranges::copy(w.target, kept.begin());
    } else {
      std::ranges::swap_ranges(w.target, kept);
    }
  };
}

// Answers from memory as long as a sample of the input looks as it did.
auto remembers_by_a_sample(workload& made_for, setup& s) {
  return [kept = s.workspace<float>(made_for.target.size()), seen = std::vector<float>()](workload& w,
                                                                                          call& c) mutable {
    const auto sample = w.source.first(std::min<std::size_t>(w.source.size(), 8));
    if (!seen.empty() && std::ranges::equal(sample, seen)) {
      std::ranges::copy(kept, w.target.begin());
      return;
    }
    honest(w, c);
    std::ranges::copy(w.target, kept.begin());
    seen.assign(sample.begin(), sample.end());
  };
}

}  // namespace

std::vector<cheat> stale_outputs() {
  return {
      cheat_by<returns_at_once>("returns_at_once", shows::in_one_call, {"never written"}),
      cheat_by<right_once>("right_once", shows::over_calls, {"never written", "differs", "wrong"}),
      cheat_by<skips_calls>("skips_calls", shows::over_calls, {"never written", "differs", "wrong"}),
      cheat_by<replays_the_first>("replays_the_first", shows::over_calls, {"differs", "wrong"}),
      cheat_by<one_call_late>("one_call_late", shows::over_calls, {"differs", "wrong"}),
      cheat_by<remembers_by_a_sample>("remembers_by_a_sample", shows::over_calls, {"differs", "wrong"}),
  };
}

}  // namespace ridge::cheats
