// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/kv_transfer.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <ridge/plan/kv_cache.hpp>

namespace ridge::plan::serve {
namespace {

constexpr double network_port_bytes_per_s = 50e9;  // 400 Gbit/s, as usual_interconnect()

// Bytes of a token on one of so many tensor ranks; the format cancels out.
double on_one_rank(const model_shape& m, int tensor) {
  return rates_of(kv_parts(m, *number_format_named("bf16"), {.tensor = tensor})).bytes_per_token;
}

result<double> slower(std::string_view name, double a, double b, const accelerator& first,
                      const accelerator& second) {
  if (a > 0 && b > 0) return std::min(a, b);
  return error{
      fmt::format("--link {}: the catalogue has no such link of {}", name, a > 0 ? second.name : first.name),
      "give GB/s a GPU: --link 50"};
}

}  // namespace

kv_transfer kv_transfer_of(const model_shape& m, const parallel_layout& prefill,
                           const parallel_layout& decode) {
  kv_transfer t{.receivers = decode.tensor * decode.pipeline, .reshards = prefill.tensor != decode.tensor};
  const double whole = on_one_rank(m, 1);
  int sending = prefill.tensor;
  if (whole > 0) {
    t.copies = decode.tensor * on_one_rank(m, decode.tensor) / whole;
    const int distinct = static_cast<int>(std::lround(whole / on_one_rank(m, prefill.tensor)));
    if (distinct < prefill.tensor) sending = std::max(distinct, std::min(prefill.tensor, decode.tensor));
  }
  t.senders = sending * prefill.pipeline;
  return t;
}

result<double> link_bytes_per_s(std::string_view text, const accelerator& prefill,
                                const accelerator& decode) {
  if (text == "network") return network_port_bytes_per_s;
  if (text == "scale-up")
    return slower(text, prefill.scale_up_bytes_per_s, decode.scale_up_bytes_per_s, prefill, decode);
  if (text == "host") return slower(text, prefill.host_bytes_per_s, decode.host_bytes_per_s, prefill, decode);
  double gb = 0;
  const auto* end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, gb);
  if (code == std::errc() && at == end && gb > 0 && gb < 1e6) return gb * 1e9;
  return error{fmt::format("--link \"{}\" is no link", text.substr(0, 40)),
               "give GB/s a GPU (50), network, scale-up or host"};
}

disaggregation_settings disaggregation_of(const model_shape& m, const number_format& kv, const kv_transfer& t,
                                          double gpu_link_bytes_per_s, int decoding_engines) {
  disaggregation_settings d{.layers = static_cast<int>(m.layers())};
  for (const auto& part : kv_parts(m, kv)) {
    const auto layers = static_cast<double>(part.layers) * t.copies;
    const double row = layers * part.row_bytes / static_cast<double>(part.tokens_per_row);
    if (part.window > 0)
      d.windows.push_back({row, part.window});
    else
      d.kv_bytes_per_token += row;
    d.fixed_bytes += layers * part.fixed_bytes;
  }
  d.link_bytes_per_s = gpu_link_bytes_per_s * std::min(t.senders, t.receivers);
  d.receive_bytes_per_s = gpu_link_bytes_per_s * t.receivers * decoding_engines;
  return d;
}

}  // namespace ridge::plan::serve
