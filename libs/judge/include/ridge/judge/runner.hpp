// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <ridge/device/device.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::judge {

// Finds the experiment of this id among those of the program that runs. Throws failure where there is none.
using experiment_finder = std::function<experiment(const std::string& id)>;

// Opens the GPU that the judge uses. Throws failure where there is none.
using gpu_opener = std::function<std::unique_ptr<device::device>()>;

// Runs this process as the runner of one arm, started by judge() with its descriptors; returns the exit code.
// It answers requests until the judge ends it. A process that was not started so returns 64 at once.
[[nodiscard]] int run_as_runner(const experiment_finder& find, const gpu_opener& open_gpu);

}  // namespace ridge::judge
