// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include <ridge/measure/clock.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_host {

// "storage.read": sequential reading of a fresh file of at most 64 MiB in `folder`, the best of the page
// cache dropped before, direct reading with one request in flight and with four; within `time_s`, of which
// writing takes a part. No row when the storage is too slow for six samples. Throws io_failure.
[[nodiscard]] std::vector<model::ceiling> probe_storage(const std::filesystem::path& folder,
                                                        const measure::clock& clock, double time_s);

}  // namespace ridge::backends::probe_host
