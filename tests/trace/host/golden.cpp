// SPDX-License-Identifier: Apache-2.0
#include "golden.hpp"

#include <array>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/open.hpp>

#include "fixtures/backend_importers.hpp"
#include "fixtures/data.hpp"

namespace ridge::trace::fixtures {

trace opened(const std::string& path) {
  const std::array<const importer*, 2> importers{&backends::trace_chrome_json::chrome_json(),
                                                 &backends::trace_nsys_sqlite::nsys_sqlite()};
  auto found = open(path, importers, {.cache = false});
  if (!found) throw std::runtime_error(found.why().message);
  return std::move(found->traces.at(0));
}

int for_each_golden(const std::string& golden, const std::string& folder,
                    const std::function<void(const nlohmann::json&, const trace&)>& check) {
  const auto all = nlohmann::json::parse(std::ifstream(data_file(golden)));
  int compared = 0;
  for (const auto& [name, figures] : all.items()) {
    const auto path = data_file(folder + name);
    if (path.empty()) continue;
    SCOPED_TRACE(name);
    check(figures, opened(path));
    ++compared;
  }
  return compared;
}

}  // namespace ridge::trace::fixtures
