// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kept_keys.hpp"
#include "key_index.hpp"

namespace ridge::plan::serve {

// The blocks of one sequence in order: a chain of nodes of fifteen blocks, entered at the last node.
struct block_list {
  static constexpr std::uint32_t none = 0xffffffffU;
  std::uint32_t last_node = none;
  std::uint32_t count = 0;
};

// The blocks of a paged KV cache. Free blocks keep their content until they are taken, the longest free
// first; blocks never used come before all others (vLLM, v1/core/block_pool.py).
class block_pool {
 public:
  block_pool(std::uint32_t blocks, std::uint64_t host_blocks, std::uint64_t disk_blocks);

  [[nodiscard]] std::uint32_t free() const { return free_; }
  void clear();

  void append_new(block_list& blocks);  // takes the block that has been free for longest
  void append_held(block_list& blocks, std::uint32_t block);  // adds a holder to a cached block
  void release(block_list& list,
               bool forget);      // frees the last block first; unless `forget`, the list stays readable
  void forget(block_list& list);  // forgets a list whose blocks were released
  void read(const block_list& list, std::vector<std::uint32_t>& blocks) const;  // in order
  [[nodiscard]] std::uint32_t last(const block_list& list) const;
  [[nodiscard]] std::uint64_t key(std::uint32_t block) const { return records_[block].key; }
  [[nodiscard]] bool is_free(std::uint32_t block) const { return records_[block].holders == 0; }
  // Makes the content of a block findable by this key, unless another block already is.
  void name(std::uint32_t block, std::uint64_t key);
  // Makes a block findable by its owner alone.
  void name_privately(std::uint32_t block, std::uint64_t key) { records_[block].key = key; }
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const { return index_.find(key); }
  [[nodiscard]] bool has_tiers() const { return tiers_; }
  // Marks a block of the tiers as used.
  void touch(std::uint64_t key) {
    host_.touch(key);
    disk_.touch(key);
  }
  // Blocks that the tiers hold, and those that the last of them gave up.
  [[nodiscard]] std::size_t host_blocks() const { return host_.size(); }
  [[nodiscard]] std::size_t disk_blocks() const { return disk_.size(); }
  [[nodiscard]] std::uint64_t lost_blocks() const { return lost_; }
  [[nodiscard]] bool in_host(std::uint64_t key) const { return host_.holds(key); }
  [[nodiscard]] bool in_disk(std::uint64_t key) const { return disk_.holds(key); }
  static constexpr std::uint32_t none = key_index::none;

 private:
  struct record {
    std::uint64_t key = 0;
    std::uint32_t holders = 0;
    std::uint32_t older = none, newer = none;  // neighbours among the free blocks
  };
  static constexpr std::uint32_t node_blocks = 15;
  struct node {
    std::uint32_t before = block_list::none;
    std::uint32_t ids[node_blocks]{};
  };
  [[nodiscard]] std::uint32_t pop_free();
  void push(block_list& blocks, std::uint32_t block);
  void unlink(std::uint32_t block);
  void link_newest(std::uint32_t block);
  void evict(record& victim, std::uint32_t block);
  [[nodiscard]] std::uint32_t new_node(std::uint32_t before);

  std::uint32_t blocks_, free_;
  bool tiers_;
  std::vector<record> records_{};  // one per block used so far
  std::uint32_t oldest_ = none, newest_ = none;
  std::vector<node> nodes_{};
  std::uint32_t spare_node_ = block_list::none;
  key_index index_{};
  kept_keys host_, disk_;
  std::uint64_t lost_ = 0;
};

}  // namespace ridge::plan::serve
