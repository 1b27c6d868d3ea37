// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/hardware/gpu.hpp>
#include <ridge/trace/evidence.hpp>
#include <ridge/trace/roofline.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::app_trace {

// The same figures as analyses of traces take them.
[[nodiscard]] trace::device_peaks peaks_of(const hardware::gpu& gpu);

// Which peaks a user chose: of a GPU in the catalogue, or of a file that `ridge peak --save` wrote. Neither:
// those of the GPU that the trace names.
struct peaks_choice {
  std::string gpu{};
  std::string file{};
};
void add_peaks_choice(app::command& to, peaks_choice& in);

// A GPU as the catalogue specifies it, and one as it was measured. An error names the GPUs there are, or what
// is wrong with the file.
[[nodiscard]] trace::known_device known(const hardware::gpu& gpu);
[[nodiscard]] result<trace::known_device> chosen_device(const peaks_choice& by);

// Peaks for a trace. With no choice and a GPU that the catalogue does not know: without a name, nothing
// known.
[[nodiscard]] result<trace::device_peaks> peaks_for(const trace::trace& t, const peaks_choice& by);

}  // namespace ridge::app_trace
