// SPDX-License-Identifier: Apache-2.0
#include "trace_diagnosis.hpp"

#include <fmt/format.h>

#include <ridge/hardware/catalogue.hpp>

#include "device_peaks.hpp"

namespace ridge::app {
namespace {

// "9.0" -> "sm_90"
std::string architecture_of(const hardware::gpu& gpu) {
  if (gpu.vendor != "nvidia") return "";
  std::string digits;
  for (const char c : gpu.compute_capability) {
    if (c != '.') digits += c;
  }
  return digits.empty() ? "" : "sm_" + digits;
}

trace::known_device known(const hardware::gpu& gpu) {
  trace::known_device made{
      .peaks = peaks_of(gpu), .reported = gpu.reported, .architecture = architecture_of(gpu)};
  if (const auto* pcie = gpu.link_of("pcie")) made.link_bytes_per_s = pcie->bytes_per_s;
  if (const auto* nvlink = gpu.link_of("nvlink")) made.bus_bytes_per_s = nvlink->bytes_per_s;
  return made;
}

}  // namespace

void add_diagnosis_input(command& to, diagnosis_input& in) {
  to.option("--set", in.settings, "RULE.NAME=VALUE",
            "Another threshold of a rule, as I1.idle_share=0.2 (repeats)")
      .option("--gpu", in.gpu, "NAME",
              "The GPU whose peaks count (\"H200 SXM\"); by default the one that the trace names")
      .flag("--whole-trace", in.whole_trace,
            "Also the first and the last step, which are left out for warm-up");
}

result<trace::diagnose_options> diagnose_options_of(const trace_input& from, const diagnosis_input& with) {
  trace::diagnose_options options{.whole_trace = with.whole_trace};
  auto names = communication_names_of(from);
  if (!names) return names.why();
  options.names = std::move(*names);
  for (const auto& setting : with.settings) {
    if (const auto set = options.rules.set(setting); !set) return set.why();
  }
  const auto& catalogue = hardware::catalogue::embedded();
  if (!with.gpu.empty()) {
    const auto peaks = peaks_for({}, with.gpu);
    if (!peaks) return peaks.why();
    auto one = known(*catalogue.gpu_named(with.gpu));
    one.reported = {""};  // every device is it
    options.devices = {std::move(one)};
    return options;
  }
  for (const auto& gpu : catalogue.data().gpus) options.devices.push_back(known(gpu));
  return options;
}

}  // namespace ridge::app
