// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/request.hpp>

namespace ridge::plan::serve {

enum class scheduler_kind : std::uint8_t {
  vllm_v1,          // running first, then waiting, one budget of tokens; preempts the last
  sglang,           // new prompts first, in batches of their own; retracts the last on full memory
  trtllm_inflight,  // running first; admits while blocks for the prompt are there; pauses the last
  trtllm_no_evict,  // admits only what fits to its last token: never preempts
  static_batching,  // a batch runs to the end of its longest answer
};

[[nodiscard]] std::string_view name_of(scheduler_kind k);
[[nodiscard]] result<scheduler_kind> scheduler_named(std::string_view name);

enum class engine_role : std::uint8_t {
  both,
  prefill,  // hands its requests over after the first token
  decode,   // gets requests whose prompt another engine computed
};

struct speculation {
  std::uint32_t tokens = 0;  // proposed a step; 0: none
  double acceptance = 0;     // of one token, given that those before it were accepted

  // (1 - a^(k + 1)) / (1 - a): Leviathan et al., "Fast Inference from Transformers via Speculative
  // Decoding" (2023), equation 1.
  [[nodiscard]] double expected_tokens() const;
};

// A place that keeps blocks the GPU has no room for.
struct kv_tier {
  std::uint64_t blocks = 0;
  double read_bytes_per_s = 0;
};

struct engine_settings {
  scheduler_kind scheduler{scheduler_kind::vllm_v1};
  engine_role role{engine_role::both};
  std::uint32_t max_batched_tokens = 2048;
  std::uint32_t max_sequences = 256;
  std::uint32_t block_size = 16;  // tokens
  std::uint32_t blocks = 0;       // of the KV cache
  bool prefix_caching = true;
  bool chunked_prefill = true;
  std::uint32_t long_prefill_tokens = 0;  // most tokens of one prompt in a step; 0: no such limit
  double watermark = 0;                   // share of the blocks that admission leaves free
  double output_reserve = 0.1;  // sglang: share of what runs' remaining answers that admission leaves free
  bool reserve_input = true;    // admission asks for blocks of the whole input
  bool priorities = false;      // serve by priority, then arrival; else by arrival
  // The next step is scheduled while one computes: arrivals and freed blocks wait one step longer, and the
  // host's time hides behind the GPU's.
  bool async_scheduling = false;
  double host_s = 0;                              // of a step, beyond what the timer says
  std::vector<std::uint32_t> cuda_graph_sizes{};  // ascending; a step that only decodes is padded to one
  speculation speculative{};
  double kv_bytes_per_token = 0;    // for tiers and hand-over
  double transfer_bytes_per_s = 0;  // role decode: of the link; 0: at once
  kv_tier host{}, disk{};
  std::uint64_t seed = 1;    // of what is drawn: accepted tokens
  bool fast_forward = true;  // many steps at once where nothing happens; the results are the same without

  // What is wrong with them, naming the field, or nothing.
  [[nodiscard]] result<void> check() const;
};

// Whether an engine with these can tell which blocks of these requests are equal.
[[nodiscard]] result<void> check_prefixes(const engine_settings& s, const request_table& requests);

}  // namespace ridge::plan::serve
