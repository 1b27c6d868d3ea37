// SPDX-License-Identifier: Apache-2.0
#include "block_pool.hpp"

namespace ridge::plan::serve {

block_pool::block_pool(std::uint32_t blocks, std::uint64_t host_blocks, std::uint64_t disk_blocks)
    : blocks_(blocks),
      free_(blocks),
      tiers_(host_blocks + disk_blocks > 0),
      host_(host_blocks),
      disk_(disk_blocks) {}

void block_pool::clear() {
  free_ = blocks_;
  records_.clear();
  nodes_.clear();
  oldest_ = newest_ = none;
  spare_node_ = block_list::none;
  index_.clear();
  host_.clear();
  disk_.clear();
}

void block_pool::unlink(std::uint32_t block) {
  const auto& r = records_[block];
  (r.older == none ? oldest_ : records_[r.older].newer) = r.newer;
  (r.newer == none ? newest_ : records_[r.newer].older) = r.older;
  --free_;
}

void block_pool::link_newest(std::uint32_t block) {
  auto& r = records_[block];
  r.older = newest_;
  r.newer = none;
  (newest_ == none ? oldest_ : records_[newest_].newer) = block;
  newest_ = block;
  ++free_;
}

void block_pool::evict(record& victim, std::uint32_t block) {
  if (index_.find(victim.key) != block) {
    return;
  }
  index_.erase(victim.key);
  if (!tiers_) {
    return;
  }
  const auto left = host_.keep(victim.key);
  if (left && disk_.keep(*left)) {
    ++lost_;
  }
}

std::uint32_t block_pool::pop_free() {
  if (records_.size() < blocks_) {
    records_.emplace_back();
    --free_;
    return static_cast<std::uint32_t>(records_.size() - 1);
  }
  const auto block = oldest_;
  unlink(block);
  auto& r = records_[block];
  if (r.key != 0) {
    evict(r, block);
    r.key = 0;
  }
  return block;
}

std::uint32_t block_pool::new_node(std::uint32_t before) {
  auto at = spare_node_;
  if (at == block_list::none) {
    at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    spare_node_ = nodes_[at].before;
  }
  nodes_[at].before = before;
  return at;
}

void block_pool::push(block_list& blocks, std::uint32_t block) {
  const auto place = blocks.count % node_blocks;
  if (place == 0) {
    blocks.last_node = new_node(blocks.last_node);
  }
  nodes_[blocks.last_node].ids[place] = block;
  ++blocks.count;
}

void block_pool::append_new(block_list& blocks) {
  const auto block = pop_free();
  records_[block].holders = 1;
  push(blocks, block);
}

void block_pool::append_held(block_list& blocks, std::uint32_t block) {
  if (records_[block].holders++ == 0) {
    unlink(block);
  }
  push(blocks, block);
}

std::uint32_t block_pool::last(const block_list& list) const {
  return nodes_[list.last_node].ids[(list.count - 1) % node_blocks];
}

void block_pool::release(block_list& list, bool forgetting) {
  auto at = list.last_node;
  for (auto left = list.count; left > 0; --left) {
    const auto place = (left - 1) % node_blocks;
    const auto block = nodes_[at].ids[place];
    if (--records_[block].holders == 0) {
      link_newest(block);
    }
    if (place == 0) {
      at = nodes_[at].before;
    }
  }
  if (forgetting) {
    forget(list);
  }
}

void block_pool::forget(block_list& list) {
  auto at = list.last_node;
  while (at != block_list::none) {
    const auto before = nodes_[at].before;
    nodes_[at].before = spare_node_;
    spare_node_ = at;
    at = before;
  }
  list = {};
}

void block_pool::read(const block_list& list, std::vector<std::uint32_t>& blocks) const {
  blocks.resize(list.count);
  auto at = list.last_node;
  for (auto left = list.count; left > 0; --left) {
    const auto place = (left - 1) % node_blocks;
    blocks[left - 1] = nodes_[at].ids[place];
    if (place == 0) {
      at = nodes_[at].before;
    }
  }
}

void block_pool::name(std::uint32_t block, std::uint64_t key) {
  if (records_[block].key == 0 && index_.insert(key, block)) {
    records_[block].key = key;
  }
}

}  // namespace ridge::plan::serve
