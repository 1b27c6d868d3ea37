// SPDX-License-Identifier: Apache-2.0
#include "input/trace_importers.hpp"

#include <vector>

#include <ridge/app/backends.hpp>

namespace ridge::app_trace {
namespace {

using importer_function = const trace::importer&();

std::vector<const trace::importer*> importers_of_this_build() {
  std::vector<const trace::importer*> all;
  for (const auto& one : app::trace_backends())
    all.push_back(&app::find_factory<importer_function>(app::trace_backends(), one.backend)());
  return all;
}

}  // namespace

std::span<const trace::importer* const> trace_importers() {
  static const auto all = importers_of_this_build();
  return all;
}

}  // namespace ridge::app_trace
