// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "storage/nameless_file.hpp"

namespace ridge::backends::probe_host {

// How much is measured.
struct storage_plan {
  std::size_t file_bytes = 0;
  double fill_s = 0, row_s = 0;
  bool everything = false;  // false: only what a first look needs
};
[[nodiscard]] storage_plan plan_of(probe::depth depth);

// Returns "storage.file.*": rates and times of reading and writing a file in `folder`, by requests past the
// page cache where the file system allows it, and through it. The file is filled with random bytes beforehand
// and never has a name. Throws unavailable where there is no space, io_failure where the folder cannot be
// written, and failure where the data read differ from the data written or nothing arrives within ten
// seconds.
[[nodiscard]] std::vector<model::ceiling> probe_file(const std::filesystem::path& folder,
                                                     const measure::clock& clock, const storage_plan& plan,
                                                     const storage_ways& ways = {});

}  // namespace ridge::backends::probe_host
