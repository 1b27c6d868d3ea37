// SPDX-License-Identifier: Apache-2.0
#include "pages/trace_diagnosis.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pages/device_peaks.hpp"

namespace ridge::app_trace {
void add_diagnosis_input(app::command& command, diagnosis_input& input) {
  add_peaks_choice(command, input.peaks);
  command
      .option("--set", input.settings, "RULE.NAME=VALUE",
              "Set a threshold of a rule: I1.idle_share=0.2 (repeats)")
      .option("--kernel-work", input.work, "NAME=OPS[,BYTES]",
              "Operations and bytes of one launch of a kernel, where no counter records them (repeats)")
      .flag("--whole-trace", input.whole_trace,
            "Include the first and the last step, which are left out as warm-up otherwise");
}

result<trace::diagnose_options> diagnose_options_of(const trace_input& input,
                                                    const diagnosis_input& choices) {
  trace::diagnose_options options{.whole_trace = choices.whole_trace, .inputs = input.paths};
  auto names = communication_names_of(input);
  if (!names) return names.why();
  options.names = std::move(*names);
  for (const auto& setting : choices.settings) {
    if (const auto set = options.rules.set(setting); !set) return set.why();
  }
  for (const auto& text : choices.work) {
    auto work = trace::parse_known_work(text);
    if (!work) return work.why();
    options.work.push_back(std::move(*work));
  }
  if (!choices.peaks.gpu.empty() || !choices.peaks.file.empty()) {
    auto device = chosen_device(choices.peaks);
    if (!device) return device.why();
    options.devices = {std::move(*device)};
    return options;
  }
  options.devices = catalogued_devices();
  return options;
}

trace::diagnosis diagnosis_of(const app::context& context, std::span<const trace::trace> traces,
                              const trace::diagnose_options& options) {
  auto made = trace::diagnose(traces, options);
  const auto is_missing = [&](const std::string& id) {
    return std::ranges::none_of(context.experiments.all(), [&](const experiment& e) { return e->id == id; });
  };
  for (auto* list : {&made.doubts, &made.findings}) {
    for (auto& f : *list) std::erase_if(f.experiments, is_missing);
  }
  return made;
}

}  // namespace ridge::app_trace
