// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/hardware/gpu.hpp>
#include <ridge/trace/evidence.hpp>
#include <ridge/trace/roofline_place.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::app_trace {

// Returns the same figures in the form that analyses of traces take.
[[nodiscard]] trace::device_peaks peaks_of(const hardware::gpu& gpu);

// Which peaks a user chose: those of a GPU in the catalogue, or of a file that `ridge peak --save` wrote.
// Without a choice they are those of the GPU that the trace names.
struct peaks_choice {
  std::string gpu{};
  std::string file{};
};
void add_peaks_choice(app::command& command, peaks_choice& choice);

// Return a GPU as the catalogue specifies it, and one as it was measured. An error names the GPUs of the
// catalogue, or what is wrong with the file.
[[nodiscard]] trace::known_device known(const hardware::gpu& gpu);
// All GPUs of the catalogue, as traces are recognised by them.
[[nodiscard]] std::vector<trace::known_device> catalogued_devices();
[[nodiscard]] result<trace::known_device> chosen_device(const peaks_choice& choice);

// Returns the peaks for a trace. Without a choice and for a GPU that is not in the catalogue, they have no
// name and all values are 0 (not known).
[[nodiscard]] result<trace::device_peaks> peaks_for(const trace::trace& t, const peaks_choice& choice);

}  // namespace ridge::app_trace
