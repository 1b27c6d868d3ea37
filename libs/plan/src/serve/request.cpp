// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/request.hpp>

#include <unordered_set>

#include "mixed_bits.hpp"
#include "populated_table.hpp"

namespace ridge::plan::serve {

request_id request_table::add(const request& r, std::span<const std::uint64_t> prefix) {
  const auto id = static_cast<request_id>(arrival_s_.size());
  arrival_s_.push_back(r.arrival_s);
  input_tokens_.push_back(r.input_tokens);
  output_tokens_.push_back(r.output_tokens);
  session_.push_back(r.session);
  tenant_.push_back(r.tenant);
  priority_.push_back(r.priority);
  if (r.adapter != 0) {
    adapter_.resize(id + 1);
    adapter_[id] = r.adapter;
  }
  prefix_blocks_.insert(prefix_blocks_.end(), prefix.begin(), prefix.end());
  prefix_first_.push_back(prefix_blocks_.size());
  return id;
}

void request_table::reserve(std::size_t requests, std::size_t prefix_blocks) {
  reserve_populated(arrival_s_, requests);
  reserve_populated(input_tokens_, requests);
  reserve_populated(output_tokens_, requests);
  reserve_populated(session_, requests);
  reserve_populated(tenant_, requests);
  reserve_populated(priority_, requests);
  reserve_populated(prefix_first_, requests + 1);
  reserve_populated(prefix_blocks_, prefix_blocks);
}

void chain_blocks(std::span<const std::uint32_t> tokens, std::uint32_t block_tokens,
                  std::vector<std::uint64_t>& hashes) {
  hashes.clear();
  std::uint64_t chain = 0;
  for (std::size_t first = 0; first + block_tokens <= tokens.size(); first += block_tokens) {
    for (const auto token : tokens.subspan(first, block_tokens)) {
      chain = mixed_bits(chain, token);
    }
    hashes.push_back(chain);
  }
}

prefix_sharing count_sharing(const request_table& requests) {
  prefix_sharing all;
  std::unordered_set<std::uint64_t> seen;
  for (request_id r = 0; r < requests.size(); ++r) {
    const auto blocks = requests.prefix(r);
    std::size_t shared = 0;
    while (shared < blocks.size() && seen.contains(blocks[shared])) {
      ++shared;
    }
    all.tokens += requests.input_tokens(r);
    all.shared += std::min<std::uint64_t>(shared * requests.prefix_block_tokens(), requests.input_tokens(r));
    seen.insert(blocks.begin(), blocks.end());
  }
  return all;
}

}  // namespace ridge::plan::serve
