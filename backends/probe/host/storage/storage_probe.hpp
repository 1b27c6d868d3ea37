// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include <ridge/measure/clock.hpp>
#include <ridge/model/ceiling.hpp>

namespace ridge::backends::probe_host {

// Returns "storage.read": sequential reading of a fresh file of at most 64 MiB in `folder` past the page
// cache, with one request in flight or four, whichever is faster; through the page cache, emptied before,
// where the file system allows no other way. Takes about `time_s`, writing included. Returns no row when
// fewer than six samples were read. Throws io_failure.
[[nodiscard]] std::vector<model::ceiling> probe_storage(const std::filesystem::path& folder,
                                                        const measure::clock& clock, double time_s);

}  // namespace ridge::backends::probe_host
