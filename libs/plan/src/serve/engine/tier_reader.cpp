// SPDX-License-Identifier: Apache-2.0
#include "tier_reader.hpp"

#include <algorithm>
#include <array>

namespace ridge::plan::serve {
namespace {

// The same prompt with fewer of its blocks loaded: the first `blocks` of those that were found.
cached_prompt shortened(const cached_prompt& found, std::uint32_t blocks) {
  auto shorter = found;
  shorter.tier_blocks = blocks;
  shorter.disk_blocks = blocks < found.tier_blocks ? 0 : found.disk_blocks;
  return shorter;
}

// Seconds to move so many bytes; no link moves anything at a rate of 0.
double moved_s(double bytes, double bytes_per_s) {
  if (!(bytes > 0)) return 0;
  return bytes_per_s > 0 ? bytes / bytes_per_s : engine::never_s;
}

}  // namespace

double tier_reader::bytes_of(std::uint32_t blocks) const {
  return static_cast<double>(blocks) * context_->settings.block_size * context_->settings.tier_token_bytes();
}

tier_reader::ends tier_reader::ends_of(const cached_prompt& cached, double now_s) const {
  const auto& settings = context_->settings;
  const auto link_s = moved_s(bytes_of(cached.tier_blocks), settings.host.read_bytes_per_s);
  const auto disk_s = moved_s(bytes_of(cached.disk_blocks), settings.disk.read_bytes_per_s);
  return {.link_s = link_s > 0 ? std::max(link_free_s_, now_s) + link_s : link_free_s_,
          .disk_s = disk_s > 0 ? std::max(disk_free_s_, now_s) + disk_s : disk_free_s_};
}

// Seconds in which an engine that does nothing else computes tokens [first, last) of a prompt.
double tier_reader::compute_s(std::uint32_t first, std::uint32_t last) const {
  const auto& settings = context_->settings;
  const auto most = settings.long_prefill_tokens > 0
                        ? std::min(settings.long_prefill_tokens, settings.max_batched_tokens)
                        : settings.max_batched_tokens;
  double seconds = 0;
  for (auto at = first; at < last;) {
    const auto tokens = settings.chunked_prefill ? std::min(most, last - at) : last - at;
    const auto c = static_cast<double>(tokens);
    seconds += timer_->seconds({.prefill_tokens = tokens,
                                .prefill_sequences = 1,
                                .prefill_context = at,
                                .prefill_pairs = c * (static_cast<double>(at) + (c + 1) / 2),
                                .sampled = at + tokens == last ? 1 : 0});
    at += tokens;
  }
  return seconds;
}

cached_prompt tier_reader::worth_loading(const cached_prompt& found, std::uint32_t target,
                                         double now_s) const {
  if (found.tier_blocks == 0) return found;
  const std::array candidates{shortened(found, 0), shortened(found, found.blocks_before_disk),
                              shortened(found, found.tier_blocks)};
  const auto done_s = [&](const cached_prompt& cached) {
    const auto known = (cached.blocks + cached.tier_blocks) * context_->settings.block_size;
    double loaded_s = now_s;
    if (cached.tier_blocks > 0) loaded_s = std::max(loaded_s, ends_of(cached, now_s).link_s);
    if (cached.disk_blocks > 0) loaded_s = std::max(loaded_s, ends_of(cached, now_s).disk_s);
    return loaded_s + compute_s(known, target);
  };
  auto best = candidates[0];
  auto best_s = done_s(best);
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (candidates[i].tier_blocks == best.tier_blocks) continue;
    const auto s = done_s(candidates[i]);
    if (s < best_s) best = candidates[i], best_s = s;
  }
  return best;
}

double tier_reader::load(const cached_prompt& cached, double now_s) {
  const auto end = ends_of(cached, now_s);
  link_free_s_ = end.link_s;
  disk_free_s_ = end.disk_s;
  auto& use = context_->counts.tiers;
  const auto ready_s = std::max(end.link_s, cached.disk_blocks > 0 ? end.disk_s : now_s);
  ++use.loads;
  use.link_bytes += bytes_of(cached.tier_blocks);
  use.disk_bytes += bytes_of(cached.disk_blocks);
  use.load_s += ready_s - now_s;
  return ready_s;
}

void tier_reader::count(const cached_prompt& found, const cached_prompt& loaded, bool first_admission) {
  auto& use = context_->counts.tiers;
  const auto left = found.tier_blocks - loaded.tier_blocks;
  use.recomputations += left > 0 ? 1 : 0;
  if (!first_admission) return;
  const std::uint64_t size = context_->settings.block_size;
  use.host_tokens += (loaded.tier_blocks - loaded.disk_blocks) * size;
  use.disk_tokens += loaded.disk_blocks * size;
  use.recomputed_tokens += left * size;
}

}  // namespace ridge::plan::serve
