// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kept_keys.hpp"
#include "key_index.hpp"

namespace ridge::plan::serve {

// The blocks of one sequence in their order: nodes of fifteen, the last one known.
struct block_list {
  static constexpr std::uint32_t none = 0xffffffffU;
  std::uint32_t last_node = none;
  std::uint32_t count = 0;
};

// The blocks of a paged KV cache. Free ones keep what they hold until they are taken, longest free first
// (vLLM, v1/core/block_pool.py: never used ones before all others).
class block_pool {
 public:
  block_pool(std::uint32_t blocks, std::uint64_t host_blocks, std::uint64_t disk_blocks);

  [[nodiscard]] std::uint32_t free() const { return free_; }
  void clear();

  void append_new(block_list& to);                        // takes the longest free
  void append_held(block_list& to, std::uint32_t block);  // one more holder of a cached block
  void release(block_list& list, bool forget);  // last block first; unless forgotten, the list stays readable
  void forget(block_list& list);                // a list whose blocks were released
  void read(const block_list& list, std::vector<std::uint32_t>& into) const;  // in order
  [[nodiscard]] std::uint32_t last(const block_list& list) const;
  [[nodiscard]] std::uint64_t key(std::uint32_t block) const { return records_[block].key; }
  [[nodiscard]] bool is_free(std::uint32_t block) const { return records_[block].holders == 0; }
  // Its content can be found by this key; where another block is found by it, this one stays nameless.
  void name(std::uint32_t block, std::uint64_t key);
  // Its owner alone may find it again.
  void name_privately(std::uint32_t block, std::uint64_t key) { records_[block].key = key; }
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const { return index_.find(key); }
  [[nodiscard]] bool in_host(std::uint64_t key) const { return host_.holds(key); }
  [[nodiscard]] bool in_disk(std::uint64_t key) const { return disk_.holds(key); }
  static constexpr std::uint32_t none = key_index::none;

 private:
  struct record {
    std::uint64_t key = 0;
    std::uint32_t holders = 0;
    std::uint32_t older = none, newer = none;  // among the free
  };
  static constexpr std::uint32_t node_blocks = 15;
  struct node {
    std::uint32_t before = block_list::none;
    std::uint32_t ids[node_blocks]{};
  };
  [[nodiscard]] std::uint32_t pop_free();
  void push(block_list& to, std::uint32_t block);
  void unlink(std::uint32_t block);
  void link_newest(std::uint32_t block);
  void evict(record& from, std::uint32_t block);
  [[nodiscard]] std::uint32_t new_node(std::uint32_t before);

  std::uint32_t blocks_, free_;
  bool tiers_;
  std::vector<record> records_{};  // of those used so far
  std::uint32_t oldest_ = none, newest_ = none;
  std::vector<node> nodes_{};
  std::uint32_t spare_node_ = block_list::none;
  key_index index_{};
  kept_keys host_, disk_;
};

}  // namespace ridge::plan::serve
