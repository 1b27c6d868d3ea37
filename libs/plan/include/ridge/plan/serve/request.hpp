// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ridge::plan::serve {

using request_id = std::uint32_t;  // index of a row in a request_table

// One request, to be added to a table.
struct request {
  double arrival_s = 0;
  std::uint32_t input_tokens = 0;
  std::uint32_t output_tokens = 0;
  std::uint32_t session = 0;
  std::uint16_t tenant = 0;
  std::int8_t priority = 0;   // lower is served first
  std::uint32_t adapter = 0;  // number of the adapter (LoRA) that it uses; 0: none
};

// The requests to a service, stored by column. Rows are only added, so ids stay valid; engines hold ids.
class request_table {
 public:
  // `prefix_block_tokens`: tokens per prefix block; 0: requests carry no prefixes.
  explicit request_table(std::uint32_t prefix_block_tokens = 0) : prefix_block_tokens_(prefix_block_tokens) {}

  // Adds a request and returns its id. `prefix`: ids of the blocks of the prompt from its start and, where
  // known, of the answer after it. An id identifies its block and every block before it, as in the traces of
  // Mooncake (hash_ids); chain_blocks() computes such ids.
  request_id add(const request& r, std::span<const std::uint64_t> prefix = {});
  // Reserves memory for so many requests and prefix blocks in all.
  void reserve(std::size_t requests, std::size_t prefix_blocks = 0);
  // Changes when a request arrives; only before an engine has it.
  void set_arrival(request_id r, double arrival_s) { arrival_s_[r] = arrival_s; }

  // Number of requests, and the properties of one of them.
  [[nodiscard]] std::size_t size() const { return arrival_s_.size(); }
  [[nodiscard]] double arrival_s(request_id r) const { return arrival_s_[r]; }
  [[nodiscard]] std::uint32_t input_tokens(request_id r) const { return input_tokens_[r]; }
  [[nodiscard]] std::uint32_t output_tokens(request_id r) const { return output_tokens_[r]; }
  [[nodiscard]] std::uint32_t session(request_id r) const { return session_[r]; }
  [[nodiscard]] std::uint16_t tenant(request_id r) const { return tenant_[r]; }
  [[nodiscard]] std::int8_t priority(request_id r) const { return priority_[r]; }
  [[nodiscard]] std::uint32_t adapter(request_id r) const { return r < adapter_.size() ? adapter_[r] : 0; }
  [[nodiscard]] std::uint32_t prefix_block_tokens() const { return prefix_block_tokens_; }
  // Block ids of a request; valid until the next add().
  [[nodiscard]] std::span<const std::uint64_t> prefix(request_id r) const {
    return {prefix_blocks_.data() + prefix_first_[r], prefix_first_[r + 1] - prefix_first_[r]};
  }

 private:
  std::uint32_t prefix_block_tokens_ = 0;
  std::vector<double> arrival_s_{};
  std::vector<std::uint32_t> input_tokens_{}, output_tokens_{}, session_{};
  std::vector<std::uint16_t> tenant_{};
  std::vector<std::int8_t> priority_{};
  std::vector<std::uint32_t> adapter_{};  // up to the last request that has one
  std::vector<std::uint64_t> prefix_first_{0};
  std::vector<std::uint64_t> prefix_blocks_{};
};

// Appends to `hashes` the ids of the full blocks of these tokens. Each id is a hash of the tokens of its
// block and of the id before it.
void chain_blocks(std::span<const std::uint32_t> tokens, std::uint32_t block_tokens,
                  std::vector<std::uint64_t>& hashes);

// Prompt tokens, and those of them that begin an earlier prompt too: the hits of an unbounded prefix cache.
struct prefix_sharing {
  std::uint64_t tokens = 0, shared = 0;
  // shared / tokens; 0 without tokens.
  [[nodiscard]] double share() const {
    return tokens == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(tokens);
  }
};
// Counts over all requests in order of their ids.
[[nodiscard]] prefix_sharing count_sharing(const request_table& requests);

}  // namespace ridge::plan::serve
