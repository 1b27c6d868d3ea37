// SPDX-License-Identifier: Apache-2.0
#include "measured_lookup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "as_real.hpp"
#include "speed_of_light.hpp"

namespace ridge::plan::kernels {
namespace {

// An empty kernel takes less than this alone, and more with its launch from the host.
constexpr double longest_floor_s = 25e-6;

std::int64_t whole(double x) { return std::llround(x); }
double octaves(double a, double b) { return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : (a == b ? 0 : 20); }

// Times of another shape scaled to the roofline bound of this one, without the fixed time of its shortest
// kernel.
double lent(double seconds, double floor_s, double ratio) {
  const double floor = std::min(floor_s, seconds);
  return floor + (seconds - floor) * ratio;
}

double shortest(const measured_curve& c) {
  double s = std::numeric_limits<double>::infinity();
  for (const auto& p : c.points()) s = std::min(s, p.seconds);
  return s;
}

double shortest(const measured_surface& s) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& r : s.rows()) least = std::min(least, shortest(r.curve));
  return least;
}

// The entry with the nearest key by `distance`; null in an empty map.
template <class Map, class Distance>
const typename Map::value_type* nearest(const Map& tables, const Distance& distance) {
  const typename Map::value_type* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& entry : tables) {
    const double d = distance(entry.first);
    if (d < least) best = &entry, least = d;
  }
  return best;
}

double apart(const attention_key& a, const attention_key& b) {
  return 8 * octaves(a.head_dim, b.head_dim) + 2 * octaves(a.kv_heads, b.kv_heads) +
         octaves(a.heads, b.heads);
}

double apart(const expert_key& a, const expert_key& b) {
  return 2 * octaves(a.hidden, b.hidden) + 2 * octaves(a.intermediate / a.tensor, b.intermediate / b.tensor) +
         2 * octaves(a.experts, b.experts) + octaves(a.top_k, b.top_k) + 2 * octaves(a.expert, b.expert) +
         0.1 * octaves(a.tensor, b.tensor);
}

std::string cache_format(double bytes) { return bytes > 1.5 ? "bf16" : "fp8"; }

template <class Map>
const typename Map::mapped_type* of_format(const Map& tables, const std::string& format) {
  const auto at = tables.find(format);
  if (at != tables.end()) return &at->second;
  return tables.empty() ? nullptr : &tables.begin()->second;
}

// The position of `x` in a sorted grid: the two neighbouring values and the weight of the upper one, in
// octaves.
struct bracket {
  double low = 0, high = 0, weight = 0;
};
bracket around(const std::vector<double>& grid, double x, bool skip_equal = false) {
  auto after = std::ranges::lower_bound(grid, x);
  if (after != grid.end() && *after == x && !skip_equal) return {x, x, 0};
  auto above = after;
  if (above != grid.end() && *above == x) ++above;
  if (after == grid.begin()) return above == grid.end() ? bracket{x, x, 0} : bracket{*above, *above, 0};
  const double low = *(after - 1);
  if (above == grid.end()) return {low, low, 0};
  return {low, *above, std::log(x / low) / std::log(*above / low)};
}

product shaped(const product& like, double m, double n, double k) {
  return {whole(m), whole(n), whole(k), like.weights};
}

}  // namespace

measured_lookup::measured_lookup(measured_tables tables, const accelerator& gpu)
    : tables_(std::move(tables)), gpu_(gpu) {
  for (const auto& [format, table] : tables_.products) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [shape, curve] : table.by_shape) least = std::min(least, shortest(curve));
    shortest_product_s_[format] = least;
  }
}

double measured_lookup::ideal_s(const demand& d, std::string_view type) const {
  return light_of(gpu_, d, type).seconds();
}

std::optional<double> measured_lookup::borrowed(const product& p) const {
  const auto table = tables_.products.find(std::string(p.weights.name));
  if (table == tables_.products.end()) return std::nullopt;
  const auto type = compute_type_on(gpu_, p.weights);
  const double m = as_real(p.m), own = ideal_s(demand_of(p), type);
  const bool measured = table->second.by_shape.contains({as_real(p.n), as_real(p.k)});
  // The point itself is not used when it was measured; its neighbours along one axis are.
  const auto n = around(table->second.columns, as_real(p.n)),
             k = around(table->second.depths, as_real(p.k), measured);
  double weights = 0, utilisation = 0;
  for (const auto& [column, by_column] : {std::pair{n.low, 1 - n.weight}, std::pair{n.high, n.weight}})
    for (const auto& [depth, by_depth] : {std::pair{k.low, 1 - k.weight}, std::pair{k.high, k.weight}}) {
      const auto curve = table->second.by_shape.find({column, depth});
      const double weight = by_column * by_depth;
      if (weight <= 0 || curve == table->second.by_shape.end()) continue;
      const auto ideal = [&, c = column, d = depth](double rows) {
        return ideal_s(demand_of(shaped(p, rows, c, d)), type);
      };
      weights += weight;
      utilisation += weight * ideal(m) / curve->second.at(m, ideal);
    }
  if (weights <= 0) return std::nullopt;
  return std::max(own / (utilisation / weights), shortest_product_s_.at(std::string(p.weights.name)));
}

std::optional<measured_time> measured_lookup::find(const product& p) const {
  const auto table = tables_.products.find(std::string(p.weights.name));
  if (table == tables_.products.end()) return std::nullopt;
  const auto type = compute_type_on(gpu_, p.weights);
  const auto ideal = light_of(gpu_, demand_of(p), type);
  const bool launches = shortest_product_s_.at(table->first) > longest_floor_s;
  const auto curve = table->second.by_shape.find({as_real(p.n), as_real(p.k)});
  if (curve != table->second.by_shape.end()) {
    const auto along = [&](double m) {
      return ideal_s(demand_of(shaped(p, m, as_real(p.n), as_real(p.k))), type);
    };
    return measured_time{curve->second.at(as_real(p.m), along), ideal, launches};
  }
  const auto seconds = borrowed(p);
  if (!seconds) return std::nullopt;
  return measured_time{*seconds, ideal, launches};
}

std::optional<measured_time> measured_lookup::find(const decode_attention& a) const {
  const auto* shapes = of_format(tables_.decode, cache_format(a.shape.kv_element_bytes));
  const attention_key key{as_real(a.shape.heads), as_real(a.shape.kv_heads), as_real(a.shape.head_dim)};
  const auto* found =
      shapes == nullptr ? nullptr : nearest(*shapes, [&](const attention_key& k) { return apart(k, key); });
  if (found == nullptr || a.sequences <= 0) return std::nullopt;
  head_shape shape = a.shape;
  shape.heads = whole(found->first.heads), shape.kv_heads = whole(found->first.kv_heads);
  shape.head_dim = shape.value_head_dim = whole(found->first.head_dim);
  const auto ideal = [&](double batch, double length) {
    return ideal_s(demand_of(decode_attention{shape, whole(batch), batch * length, 1}), "bf16");
  };
  const double batch = as_real(a.sequences), mean = std::max(a.context / batch, 1.0);
  const auto own = light_of(gpu_, demand_of(a), "bf16");
  const double seconds = found->second.at(batch, mean, ideal);
  const double ratio = own.seconds() / ideal(batch, mean);
  return measured_time{lent(seconds, shortest(found->second), ratio), own, false};
}

std::optional<measured_time> measured_lookup::find(const prefill_attention& a) const {
  const auto* shapes = of_format(tables_.prefill, cache_format(a.shape.kv_element_bytes));
  const attention_key key{as_real(a.shape.heads), as_real(a.shape.kv_heads), as_real(a.shape.head_dim)};
  const auto* found =
      shapes == nullptr ? nullptr : nearest(*shapes, [&](const attention_key& k) { return apart(k, key); });
  if (found == nullptr || a.tokens <= 0) return std::nullopt;
  head_shape shape = a.shape;
  shape.heads = whole(found->first.heads), shape.kv_heads = whole(found->first.kv_heads);
  shape.head_dim = shape.value_head_dim = whole(found->first.head_dim);
  const auto ideal = [&](double batch, double length) {
    const double tokens = batch * length;
    return ideal_s(
        demand_of(prefill_attention{shape, whole(batch), whole(tokens), tokens * (length + 1) / 2}), "bf16");
  };
  // Equal prompts with as many tokens and pairs. Less than one prompt is a chunk whose rows see more than the
  // chunk: it has the utilization of a prompt between both lengths.
  const double tokens = as_real(a.tokens), length = std::max(2 * a.pairs / tokens - 1, 1.0),
               batch = tokens / length;
  const double at_batch = std::max(batch, 1.0), at_length = batch < 1 ? std::sqrt(length * tokens) : length;
  const auto own = light_of(gpu_, demand_of(a), "bf16");
  const double ratio = own.seconds() / ideal(at_batch, at_length);
  return measured_time{lent(found->second.at(at_batch, at_length, ideal), shortest(found->second), ratio),
                       own, false};
}

std::optional<measured_time> measured_lookup::find(const latent_decode& a) const {
  const auto* heads = of_format(tables_.latent_decode, cache_format(a.shape.kv_element_bytes));
  const auto* found = heads == nullptr
                          ? nullptr
                          : nearest(*heads, [&](double h) { return octaves(h, as_real(a.shape.heads)); });
  if (found == nullptr || a.sequences <= 0) return std::nullopt;
  latent_shape shape = a.shape;
  shape.heads = whole(found->first);
  const auto ideal = [&](double batch, double length) {
    return ideal_s(demand_of(latent_decode{shape, whole(batch), batch * length, 1}), "bf16");
  };
  const double batch = as_real(a.sequences), mean = std::max(a.context / batch, 1.0),
               floor = shortest(found->second);
  const auto own = light_of(gpu_, demand_of(a), "bf16");
  const double ratio = own.seconds() / ideal(batch, mean);
  return measured_time{lent(found->second.at(batch, mean, ideal), floor, ratio), own,
                       floor > longest_floor_s};
}

std::optional<measured_time> measured_lookup::find(const latent_prefill& a) const {
  const auto* heads = of_format(tables_.latent_prefill, cache_format(a.shape.kv_element_bytes));
  const auto* found = heads == nullptr
                          ? nullptr
                          : nearest(*heads, [&](double h) { return octaves(h, as_real(a.shape.heads)); });
  if (found == nullptr || a.tokens <= 0) return std::nullopt;
  latent_shape shape = a.shape;
  shape.heads = whole(found->first);
  const auto ideal = [&](double batch, double length) {
    const double tokens = batch * length;
    return ideal_s(demand_of(latent_prefill{shape, whole(batch), whole(tokens), tokens * (length + 1) / 2}),
                   "bf16");
  };
  const double tokens = as_real(a.tokens), length = std::max(2 * a.pairs / tokens - 1, 1.0),
               batch = tokens / length;
  const double at_batch = std::max(batch, 1.0), at_length = batch < 1 ? std::sqrt(length * tokens) : length;
  const double floor = shortest(found->second);
  const auto own = light_of(gpu_, demand_of(a), "bf16");
  const double ratio = own.seconds() / ideal(at_batch, at_length);
  return measured_time{lent(found->second.at(at_batch, at_length, ideal), floor, ratio), own,
                       floor > longest_floor_s};
}

std::optional<measured_time> measured_lookup::find(const expert_products& e) const {
  const auto shapes = tables_.experts.find(std::string(e.weights.name));
  if (shapes == tables_.experts.end() || e.tokens <= 0) return std::nullopt;
  const expert_key key{as_real(e.hidden),  as_real(e.intermediate), as_real(e.top_k),
                       as_real(e.experts), double(e.tensor),        double(e.expert)};
  const auto* found = nearest(shapes->second, [&](const expert_key& k) { return apart(k, key); });
  if (found == nullptr) return std::nullopt;
  const auto type = compute_type_on(gpu_, e.weights);
  const auto& k = found->first;
  const auto ideal = [&](double tokens) {
    return ideal_s(demand_of(expert_products{whole(tokens), whole(k.hidden), whole(k.intermediate),
                                             whole(k.experts), whole(k.top_k), static_cast<int>(k.tensor),
                                             static_cast<int>(k.expert), e.gated, e.weights}),
                   type);
  };
  const double tokens = as_real(e.tokens);
  const auto own = light_of(gpu_, demand_of(e), type);
  const double ratio = own.seconds() / ideal(tokens);
  return measured_time{lent(found->second.at(tokens, ideal), shortest(found->second), ratio), own, false};
}

std::optional<measured_time> measured_lookup::find(const exchange& e) const {
  static const std::map<collective, std::string> names{{collective::all_reduce, "all_reduce"},
                                                       {collective::all_gather, "all_gather"},
                                                       {collective::reduce_scatter, "reduce_scatter"},
                                                       {collective::all_to_all, "alltoall"}};
  const auto by_ranks = [&]() -> const std::map<int, measured_curve>* {
    if (e.collective == collective::all_reduce && !tables_.all_reduce.empty()) return &tables_.all_reduce;
    const auto name = names.find(e.collective);
    const auto table =
        name == names.end() ? tables_.collectives.end() : tables_.collectives.find(name->second);
    return table == tables_.collectives.end() ? nullptr : &table->second;
  }();
  if (by_ranks == nullptr || !by_ranks->contains(e.ranks)) return std::nullopt;
  const auto ideal = [&](double bytes) {
    return bytes * wire_share(e.collective, e.ranks) / gpu_.scale_up_bytes_per_s;
  };
  return measured_time{by_ranks->at(e.ranks).at(e.bytes, ideal), {0, ideal(e.bytes), 0}, false};
}

}  // namespace ridge::plan::kernels
