// SPDX-License-Identifier: Apache-2.0
#include "importers.hpp"

#include <array>
#include <utility>

#include <ridge/trace/open.hpp>

#include "fixtures/backend_importers.hpp"

namespace ridge::trace {

result<opened_traces> open_data(const std::string& path, open_options options) {
  const std::array<const importer*, 3> all{&backends::trace_rocprof_json::rocprof_json(),
                                           &backends::trace_nsys_sqlite::nsys_sqlite(),
                                           &backends::trace_chrome_json::chrome_json()};
  options.cache = !options.cache_folder.empty();
  return open(path, all, options);
}

}  // namespace ridge::trace
