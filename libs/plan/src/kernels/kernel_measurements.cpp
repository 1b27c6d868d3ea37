// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/kernel_measurements.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "as_real.hpp"
#include "call_hash.hpp"

namespace ridge::plan::kernels {
namespace {

head_shape heads_of(const model::kernel_call& c) {
  return {c.size("heads"), c.size("kv_heads"), c.size("head_dim"), c.size("head_dim"),
          c.format == "fp8"    ? 1.0
          : c.format == "fp32" ? 4.0
                               : 2.0};
}

template <class Call>
result<timed_kernel> timed(const Call& call, double seconds) {
  return timed_kernel{[call](const kernel_times& times) { return times.of(call).seconds(); }, seconds};
}

result<timed_kernel> predicted_product(const measured_call& row) {
  const auto format = number_format_named(row.call.format);
  if (!format) return format.why();
  const auto& c = row.call;
  return timed(product{c.size("m"), c.size("n"), c.size("k"), *format}, row.seconds);
}

result<timed_kernel> predicted_experts(const measured_call& row) {
  const auto format = number_format_named(row.call.format);
  if (!format) return format.why();
  const auto& c = row.call;
  return timed(expert_products{.tokens = c.size("tokens"),
                               .hidden = c.size("hidden"),
                               .intermediate = c.size("intermediate"),
                               .experts = c.size("experts"),
                               .top_k = c.size("top_k"),
                               .weights = *format},
               row.seconds);
}

result<timed_kernel> predicted_attention(const measured_call& row) {
  const auto& c = row.call;
  const auto sequences = c.size("sequences"), tokens = c.size("tokens");
  if (c.kernel == "decode_attention")
    return timed(decode_attention{heads_of(c), sequences, as_real(sequences * c.size("context")), 1},
                 row.seconds);
  const double pairs = as_real(sequences) * as_real(tokens) * (as_real(tokens) + 1) / 2;
  return timed(prefill_attention{heads_of(c), sequences, sequences * tokens, pairs}, row.seconds);
}

const std::map<std::string, collective, std::less<>>& collectives() {
  static const std::map<std::string, collective, std::less<>> all{
      {"all_reduce", collective::all_reduce},
      {"all_gather", collective::all_gather},
      {"reduce_scatter", collective::reduce_scatter},
      {"all_to_all", collective::all_to_all}};
  return all;
}

using kernel_and_format = std::pair<std::string, std::string>;

// The rows of each kernel and format: those of the fit, and those that judge it.
struct row_halves {
  std::vector<timed_kernel> fitted{}, judged{};
};

result<std::map<kernel_and_format, row_halves>> divided(const kernel_measurements& m) {
  std::map<kernel_and_format, row_halves> all;
  for (const auto& row : m.rows) {
    if (row.call.kernel == "launch") continue;
    auto predicted = prediction_of(row);
    if (!predicted) return predicted.why();
    auto& both = all[{row.call.kernel, row.call.format}];
    (held_out(row.call) ? both.judged : both.fitted).push_back(std::move(*predicted));
  }
  return all;
}

}  // namespace

// 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo): the same on every machine.
std::uint64_t hash_of(const model::kernel_call& call) {
  std::string text = call.kernel + ' ' + call.format;
  for (const auto& [name, size] : call.sizes) text += fmt::format(" {}={}", name, size);
  std::uint64_t h = 14695981039346656037ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return h ^ (h >> 32);
}

bool kernel_measurements::has(const model::kernel_call& call) const {
  return std::ranges::any_of(rows, [&](const measured_call& row) { return row.call == call; });
}

bool held_out(const model::kernel_call& call) { return hash_of(call) % 2 == 1; }

result<timed_kernel> prediction_of(const measured_call& row) {
  const auto& c = row.call;
  if (c.kernel == "product") return predicted_product(row);
  if (c.kernel == "experts") return predicted_experts(row);
  if (c.kernel.ends_with("_attention")) return predicted_attention(row);
  if (c.kernel == "elementwise") {
    const double bytes = as_real(c.size("bytes"));
    return timed_kernel{[bytes](const kernel_times& times) { return times.elementwise(bytes).seconds(); },
                        row.seconds};
  }
  const auto at = collectives().find(c.kernel);
  if (at != collectives().end())
    return timed(exchange{at->second, as_real(c.size("bytes")), static_cast<int>(c.size("ranks"))},
                 row.seconds);
  return error{fmt::format("\"{}\" is no kernel with coefficients", c.kernel), "leave the row out"};
}

result<void> fit_curves(kernel_measurements& m, const accelerator& gpu) {
  constexpr std::size_t least = 8;
  const auto all = divided(m);
  if (!all) return all.why();
  m.curves.clear();
  for (const auto& [key, rows] : *all) {
    if (rows.fitted.size() < least) continue;
    efficiency_entry e{.gpu = m.gpu,
                       .generation = m.generation,
                       .kernel = key.first,
                       .format = key.second,
                       .rows = static_cast<std::int64_t>(rows.fitted.size() + rows.judged.size()),
                       .source = "measured here: " + m.device,
                       .date = m.date};
    e.curve = fit_efficiency(gpu, e, rows.fitted);
    const auto off = error_of(gpu, e, rows.judged);
    e.median_error = three_digits(off.median), e.p90_error = three_digits(off.p90);
    m.curves.push_back(std::move(e));
  }
  return {};
}

bool answers_use(const efficiency_entry& measured) {
  return measured.kernel != "product" || measured.format != "fp8";
}

efficiency_catalogue with_measured(efficiency_catalogue others, const kernel_measurements& m) {
  for (const auto& curve : m.curves) {
    if (!answers_use(curve)) continue;
    std::erase_if(others.entries, [&](const efficiency_entry& e) {
      return e.gpu == curve.gpu && e.kernel == curve.kernel && e.format == curve.format;
    });
    others.entries.push_back(curve);
    others.entries.back().measured_here = true;
  }
  return others;
}

fit_error error_on_rows(const kernel_measurements& m, const accelerator& gpu,
                        const efficiency_entry& of_kernel, const efficiency_catalogue& coefficients) {
  const auto all = divided(m);
  const auto times = analytic_times(gpu, coefficients);
  std::vector<double> off;
  if (!all) return {};
  const auto at = all->find({of_kernel.kernel, of_kernel.format});
  if (at == all->end() || at->second.judged.empty()) return {};
  for (const auto& row : at->second.judged) off.push_back(std::abs(row.predict(*times) / row.seconds - 1));
  std::ranges::sort(off);
  return {off[off.size() / 2], off[off.size() * 9 / 10]};
}

}  // namespace ridge::plan::kernels
