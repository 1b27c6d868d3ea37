// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/trace/known_device.hpp>

#include "rules/evidence_device.hpp"

namespace ridge::trace {
namespace {

// Parts of kernels' names that only one architecture, or one family, has. Multiprocessors of the smallest
// member: MI210 104, A100 98 (of MIG-less cards), H100 PCIe 114.
struct name_hint {
  std::string_view part;
  std::string_view architecture;
  int least_sms;
};
constexpr name_hint name_hints[] = {
    {"ISA942", "gfx942", 228}, {"gfx942", "gfx942", 228}, {"aiter", "gfx942", 228},
    {"ISA950", "gfx950", 256}, {"gfx90a", "gfx90a", 104}, {"ISA90a", "gfx90a", 104},
    {"gtcx", "", 104},         {"sm90_", "sm_90", 78},    {"sm100_", "sm_100", 142},
};

const name_hint* hint_in(std::string_view kernel) {
  const auto at = std::ranges::find_if(
      name_hints, [&](const name_hint& h) { return kernel.find(h.part) != std::string_view::npos; });
  return at == std::end(name_hints) ? nullptr : &*at;
}

const known_device* by_architecture(std::span<const known_device> all, std::string_view architecture) {
  if (architecture.empty()) return nullptr;
  const auto at = std::ranges::find(all, architecture, &known_device::architecture);
  return at == all.end() ? nullptr : &*at;
}

}  // namespace

std::optional<device_hint> device_hint_of(const trace& t, std::int32_t device) {
  name_id last = none;
  for (const auto& w : t.works_of(device)) {
    if (w.kind != category::kernel || w.name == last) continue;
    last = w.name;
    const auto text = t.names[w.name];
    if (const auto* h = hint_in(text))
      return device_hint{std::string(h->architecture), h->least_sms, std::string(h->part)};
  }
  return std::nullopt;
}

void know_device(const trace& t, std::span<const known_device> all, device_evidence& d) {
  const auto* facts = t.facts_of(d.device);
  const auto* known = facts ? recognised(all, *facts) : nullptr;
  if (!facts || facts->name.empty()) d.hint = device_hint_of(t, d.device);
  if (!known && d.hint) {
    known = by_architecture(all, d.hint->architecture);
    d.peaks_guessed = known != nullptr;
  }
  if (known) {
    d.known = *known;
    d.peaks = known->peaks;
  }
  if (facts && facts->sms > 0) d.sms = facts->sms;
  if (d.sms == 0) d.sms = d.peaks.sms;
  d.least_sms = d.sms > 0 ? d.sms : d.hint ? d.hint->least_sms : 0;
  if (d.peaks.sms == 0) d.peaks.sms = d.sms;
}

}  // namespace ridge::trace
