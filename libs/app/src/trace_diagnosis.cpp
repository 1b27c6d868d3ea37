// SPDX-License-Identifier: Apache-2.0
#include "trace_diagnosis.hpp"

#include <fmt/format.h>

#include <ridge/hardware/catalogue.hpp>

#include "device_peaks.hpp"

namespace ridge::app {
void add_diagnosis_input(command& to, diagnosis_input& in) {
  add_peaks_choice(to, in.peaks);
  to.option("--set", in.settings, "RULE.NAME=VALUE",
            "Another threshold of a rule, as I1.idle_share=0.2 (repeats)")
      .option("--kernel-work", in.work, "NAME=OPS[,BYTES]",
              "What a launch of a kernel computes and touches, where no counter tells (repeats)")
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
  for (const auto& text : with.work) {
    auto work = trace::parse_known_work(text);
    if (!work) return work.why();
    options.work.push_back(std::move(*work));
  }
  if (!with.peaks.gpu.empty() || !with.peaks.file.empty()) {
    auto device = chosen_device(with.peaks);
    if (!device) return device.why();
    options.devices = {std::move(*device)};
    return options;
  }
  for (const auto& gpu : hardware::catalogue::embedded().data().gpus) options.devices.push_back(known(gpu));
  return options;
}

}  // namespace ridge::app
