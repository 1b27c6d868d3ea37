// SPDX-License-Identifier: Apache-2.0
#include "read_trace.hpp"

#include <stdexcept>
#include <utility>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/open.hpp>

#include "fixtures/backend_importers.hpp"

namespace ridge::trace::golden {

std::vector<trace> read_traces(const std::string& path) {
  const importer* const known[]{&backends::trace_chrome_json::chrome_json(),
                                &backends::trace_nsys_sqlite::nsys_sqlite()};
  auto opened = open(path, known, {.cache = false});
  if (!opened) throw std::runtime_error(opened.why().text());
  return std::move(opened.value().traces);
}

trace read_trace(const std::string& path) { return std::move(read_traces(path).at(0)); }

}  // namespace ridge::trace::golden
