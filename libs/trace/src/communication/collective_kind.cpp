// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/collective_kind.hpp>

#include <array>
#include <utility>

#include <ridge/base/text.hpp>

namespace ridge::trace {
namespace {

// Lower case without `_` and `-`: libraries write one word three ways.
std::string plain(std::string_view text) {
  std::string letters;
  for (const auto c : text)
    if (c != '_' && c != '-') letters += lower_case(c);
  return letters;
}

// Longer words first: "reducescatter" holds "reduce" and "scatter".
constexpr std::array<std::pair<std::string_view, collective_kind>, 19> words{{
    {"reducescatter", collective_kind::reduce_scatter},
    {"allreduce", collective_kind::all_reduce},
    {"crossdevicereduce", collective_kind::all_reduce},
    {"allgather", collective_kind::all_gather},
    {"alltoall", collective_kind::all_to_all},
    {"all2all", collective_kind::all_to_all},
    {"sendrecv", collective_kind::send_receive},
    {"sendreceive", collective_kind::send_receive},
    {"dispatch", collective_kind::dispatch},
    {"combine", collective_kind::combine},
    {"broadcast", collective_kind::broadcast},
    {"barrier", collective_kind::barrier},
    {"pushsend", collective_kind::send_receive},
    {"pullrecv", collective_kind::send_receive},
    {"kernelreduce", collective_kind::reduce},
    {"gather", collective_kind::gather},
    {"scatter", collective_kind::scatter},
    {"send", collective_kind::send_receive},
    {"recv", collective_kind::send_receive},
}};

}  // namespace

std::string_view name(collective_kind k) {
  constexpr std::array<std::string_view, collective_kind_count> names{
      "unknown", "all-reduce", "all-gather",   "reduce-scatter", "all-to-all", "broadcast", "reduce",
      "gather",  "scatter",    "send-receive", "dispatch",       "combine",    "barrier"};
  return names.at(static_cast<std::size_t>(k));
}

collective_kind collective_kind_of(std::string_view operation) {
  const auto letters = plain(operation);
  if (letters == "reduce") return collective_kind::reduce;
  for (const auto& [word, kind] : words)
    if (letters.find(word) != std::string::npos) return kind;
  return collective_kind::unknown;
}

collective_kind communication_names::kind_of(std::string_view kernel) const {
  const auto* by = match(kernel);
  return by != nullptr && by->operation != collective_kind::unknown ? by->operation
                                                                    : collective_kind_of(kernel);
}

}  // namespace ridge::trace
