// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <ridge/plan/serve/engine.hpp>

#include "adapter_slots.hpp"
#include "block_division.hpp"

namespace ridge::plan::serve {

// Settings, requests, counts and events that all parts of one engine share. The requests must outlive it.
struct engine_context {
  engine_context(engine_settings chosen, const request_table& table)
      : settings(std::move(chosen)),
        requests(&table),
        adapters(settings.adapters.slots),
        by_block(settings.block_size) {}

  // Blocks that hold so many tokens.
  [[nodiscard]] std::uint32_t blocks_for(std::uint64_t tokens) const {
    return static_cast<std::uint32_t>(by_block.covering(tokens));
  }
  // Answer tokens that this engine produces: only the first when another engine continues.
  [[nodiscard]] std::uint32_t outputs_here(request_id request) const {
    return settings.role == engine_role::prefill ? 1 : std::max(1U, requests->output_tokens(request));
  }
  // Tokens in the cache when the last answer token is produced; that token itself is not in it.
  [[nodiscard]] std::uint32_t whole_tokens(request_id request) const {
    return requests->input_tokens(request) + outputs_here(request) - 1;
  }
  void tell(double at_s, request_id request, engine_event_kind kind) {
    events.push_back({at_s, request, kind});
  }

  engine_settings settings;
  const request_table* requests;
  adapter_slots adapters;
  block_division by_block;
  engine_counts counts{};
  std::vector<engine_event> events{};
  bool tells_admissions = false;
  std::uint64_t queued_tokens = 0;  // prompt tokens not yet computed, of waiting and running requests
};

}  // namespace ridge::plan::serve
