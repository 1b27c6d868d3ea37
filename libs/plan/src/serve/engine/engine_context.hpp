// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <ridge/plan/serve/engine.hpp>

namespace ridge::plan::serve {

// What all parts of one engine read, and where they count and tell what happens. The requests must outlive
// it.
struct engine_context {
  engine_context(engine_settings chosen, const request_table& table)
      : settings(std::move(chosen)), requests(&table) {}

  // Blocks that hold so many tokens.
  [[nodiscard]] std::uint32_t blocks_for(std::uint64_t tokens) const {
    return static_cast<std::uint32_t>((tokens + settings.block_size - 1) / settings.block_size);
  }
  // Tokens of the answer that this engine gives: the first alone where another engine goes on.
  [[nodiscard]] std::uint32_t outputs_here(request_id request) const {
    return settings.role == engine_role::prefill ? 1 : std::max(1U, requests->output_tokens(request));
  }
  // Tokens in the cache when the last token of the answer is given, which itself is never computed on.
  [[nodiscard]] std::uint32_t whole_tokens(request_id request) const {
    return requests->input_tokens(request) + outputs_here(request) - 1;
  }
  void tell(double at_s, request_id request, engine_event_kind kind) {
    events.push_back({at_s, request, kind});
  }

  engine_settings settings;
  const request_table* requests;
  engine_counts counts{};
  std::vector<engine_event> events{};
  bool tells_admissions = false;
  std::uint64_t queued_tokens = 0;  // of prompts, not computed yet: waiting and running
};

}  // namespace ridge::plan::serve
