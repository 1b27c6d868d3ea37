// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <ridge/plan/serve/engine.hpp>

namespace ridge::plan::serve {

// Every step takes one second.
class unit_timer final : public iteration_timer {
 public:
  [[nodiscard]] double seconds(const iteration&) const override { return 1; }
  [[nodiscard]] decode_line decode(std::int64_t, std::int64_t) const override { return {1, 0, 1LL << 60}; }
};

// Seconds by tokens, sequences and context; the slope over context changes.
class bent_timer final : public iteration_timer {
 public:
  [[nodiscard]] double seconds(const iteration& i) const override {
    const auto line = decode(i.decode_sequences, i.decode_context);
    const auto decode_s = line.base_s + line.per_context_s * static_cast<double>(i.decode_context);
    return decode_s + 3e-5 * static_cast<double>(i.prefill_tokens) + 1e-9 * i.prefill_pairs;
  }
  [[nodiscard]] decode_line decode(std::int64_t sequences, std::int64_t context) const override {
    const auto base_s = 0.0071 + 1.3e-5 * static_cast<double>(sequences);
    if (context <= bend) {
      return {base_s, 3.7e-8, bend};
    }
    return {base_s - 5.3e-8 * bend, 9e-8, 1LL << 60};
  }

 private:
  static constexpr std::int64_t bend = 3000;
};

// Time of the event of this kind; -1 when there is none.
inline double time_of(const std::vector<engine_event>& events, request_id id, engine_event_kind kind) {
  const auto at =
      std::ranges::find_if(events, [&](const engine_event& e) { return e.id == id && e.kind == kind; });
  return at == events.end() ? -1 : at->at_s;
}

// Submits all requests of a table at their arrivals and simulates to the end.
inline engine played(const engine_settings& s, const iteration_timer& timer, const request_table& table) {
  engine e{s, timer, table};
  for (request_id r = 0; r < table.size(); ++r) {
    e.submit(r, table.arrival_s(r));
  }
  e.advance(engine::never_s);
  return e;
}

}  // namespace ridge::plan::serve
