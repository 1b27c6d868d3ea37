// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/plan/kv_cache.hpp>

namespace ridge::plan {
namespace {

struct size_limit {
  const char* option;
  std::int64_t value, least, most;
};

result<void> check(const decoder_sizes& s) {
  const size_limit bounds[] = {{"--layers", s.layers, 1, 4096},
                               {"--hidden", s.hidden, 1, 1 << 24},
                               {"--heads", s.heads, 0, 1 << 20},
                               {"--kv-heads", s.kv_heads, 0, 1 << 20},
                               {"--head-dim", s.head_dim, 0, 1 << 20}};
  for (const auto& b : bounds)
    if (b.value < b.least || b.value > b.most)
      return error{fmt::format("{}: {} is not from {} to {}", b.option, b.value, b.least, b.most),
                   "give the model's own number"};
  if (s.heads > 0 && s.head_dim == 0 && s.hidden % s.heads != 0)
    return error{fmt::format("--heads: hidden size {} is not a multiple of {}", s.hidden, s.heads),
                 "give --head-dim"};
  if (s.heads > 0 && s.kv_heads > 0 && s.heads % s.kv_heads != 0)
    return error{fmt::format("--kv-heads: {} key-value heads cannot be shared evenly by {} heads", s.kv_heads,
                             s.heads),
                 "give a number that divides --heads"};
  return {};
}

// The width of a head: the one given, else hidden / heads, else 128 when that divides the hidden size.
std::int64_t head_dim_of(const decoder_sizes& s) {
  if (s.head_dim > 0) return s.head_dim;
  if (s.heads > 0) return s.hidden / s.heads;
  return s.hidden % 128 == 0 ? 128 : s.hidden;
}

std::string doubt_of(const attention_shape& a) {
  return fmt::format(
      "key-value heads are not given: counted as if each of {} heads of {} kept its own keys and values; "
      "most models "
      "since 2023 share them among groups of heads",
      a.heads, a.head_dim);
}

}  // namespace

result<model_shape> model_of_sizes(const decoder_sizes& s) {
  if (const auto fine = check(s); !fine) return fine.why();
  attention_shape a{.kind = attention_kind::full};
  a.head_dim = a.value_head_dim = head_dim_of(s);
  a.heads = s.heads > 0 ? s.heads : std::max<std::int64_t>(s.hidden / a.head_dim, 1);
  a.kv_heads = s.kv_heads > 0 ? s.kv_heads : a.heads;
  model_shape m{.hidden = s.hidden};
  m.kinds.push_back({.attention = a, .norm_parameters = 2 * s.hidden});
  m.order.assign(static_cast<std::size_t>(s.layers), 0);
  if (s.kv_heads == 0) m.doubts.push_back(doubt_of(a));
  return m;
}

}  // namespace ridge::plan
