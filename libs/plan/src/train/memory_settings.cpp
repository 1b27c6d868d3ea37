// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/memory_settings.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "memory_tables.hpp"

namespace ridge::plan::train {
namespace {

constexpr double moving_average_bytes = 4;
constexpr double byte_moment = 1 + 4.0 / 256;  // an fp32 scale per block of 256

double moment_bytes_of(const memory_settings& s) {
  return s.optimizer == optimizer_kind::adam_8bit ? byte_moment : s.moment_bytes;
}

double kept_copies(const memory_settings& s) {
  return s.master_bytes + (s.moving_average ? moving_average_bytes : 0);
}

}  // namespace

std::string_view name_of(optimizer_kind o) {
  constexpr std::array<std::string_view, 4> names{"adam", "adam8bit", "sgd", "muon"};
  return names.at(static_cast<std::size_t>(o));
}

memory_settings settings_for(std::string_view compute_type, const state_formats& formats,
                             memory_settings other) {
  const bool single = compute_type == "fp32", eighth = compute_type == "fp8";
  const memory_settings usual;
  other.weight_bytes = formats.weight_bytes.value_or(single ? 4 : usual.weight_bytes);
  other.gradient_bytes = formats.gradient_bytes.value_or(eighth ? 2 : usual.gradient_bytes);
  other.master_bytes = formats.master_bytes.value_or(single ? 0 : usual.master_bytes);
  other.moment_bytes = formats.moment_bytes.value_or(usual.moment_bytes);
  other.fp8_activations = formats.fp8_activations || eighth;
  return other;
}

std::string text_of(const memory_settings& s) {
  return fmt::format(
      "weights {:.4g}, gradients {:.4g}, {} {:.4g} bytes a parameter; inputs of products kept in {}",
      s.weight_bytes, s.gradient_bytes, name_of(s.optimizer), matrix_state_bytes(s),
      s.fp8_activations ? "fp8" : "16 bits");
}

double matrix_state_bytes(const memory_settings& s) {
  const bool one = s.optimizer == optimizer_kind::sgd || s.optimizer == optimizer_kind::muon;
  return kept_copies(s) + (one ? 1 : 2) * moment_bytes_of(s);
}

double vector_state_bytes(const memory_settings& s) {
  return kept_copies(s) + (s.optimizer == optimizer_kind::sgd ? 1 : 2) * moment_bytes_of(s);
}

double sharding_ranks(const memory_settings& s, const parallel_layout& l) {
  const double all = static_cast<double>(l.data) * l.context;
  return s.shard_group > 0 ? std::min(all, static_cast<double>(s.shard_group)) : all;
}

double expert_sharding_ranks(const memory_settings& s, const parallel_layout& l) {
  const double expert_ranks = static_cast<double>(l.expert) * l.expert_tensor;
  return std::max(1.0, sharding_ranks(s, l) * l.tensor / expert_ranks);
}

result<void> check_settings(const memory_settings& s) {
  const std::array<std::pair<const char*, double>, 8> amounts{{{"weight_bytes", s.weight_bytes},
                                                               {"gradient_bytes", s.gradient_bytes},
                                                               {"master_bytes", s.master_bytes},
                                                               {"moment_bytes", s.moment_bytes},
                                                               {"logit_bytes", s.logit_bytes},
                                                               {"context_bytes", s.context_bytes},
                                                               {"communicator_bytes", s.communicator_bytes},
                                                               {"fragmentation", s.fragmentation}}};
  for (const auto& [name, amount] : amounts) {
    if (!(amount >= 0)) return error{fmt::format("{} is {}", name, amount), "give 0 or more"};
  }
  constexpr double most_imbalance = 1e6;
  if (!(s.expert_imbalance >= 1 && s.expert_imbalance <= most_imbalance))
    return error{fmt::format("expert_imbalance is {}", s.expert_imbalance),
                 "the busiest rank has at least the mean: give 1 or more"};
  if (s.adapter_rank < 0 || s.shard_group < 0 || s.loss_chunk_tokens < 0)
    return error{fmt::format("adapter_rank is {}, shard_group {}, loss_chunk_tokens {}", s.adapter_rank,
                             s.shard_group, s.loss_chunk_tokens),
                 "give 0 (off) or more"};
  return {};
}

}  // namespace ridge::plan::train
