// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "storage/nameless_file.hpp"

namespace ridge::backends::probe_host {

// How much of each.
struct storage_plan {
  std::size_t file_bytes = 0;
  double fill_s = 0, row_s = 0;
  bool everything = false;  // else only what a first look needs
};
[[nodiscard]] storage_plan plan_of(probe::depth depth);

// "storage.file.*": what reading and writing a file in `folder` reaches, by requests past the page cache
// where the file system allows it, and through it. The file is filled with random bytes before and never has
// a name. Throws unavailable where there is no space, io_failure where the folder cannot be written, failure
// where something else is read than was written or nothing comes within ten seconds.
[[nodiscard]] std::vector<model::ceiling> probe_file(const std::filesystem::path& folder,
                                                     const measure::clock& clock, const storage_plan& plan,
                                                     const storage_ways& ways = {});

}  // namespace ridge::backends::probe_host
