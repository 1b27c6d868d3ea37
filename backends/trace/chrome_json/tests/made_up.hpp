// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <ridge/trace/importer.hpp>

namespace ridge::backends::trace_chrome_json {

const trace::importer& chrome_json();

inline trace::trace read(const std::string& text) {
  auto made = chrome_json().read(*trace::source_of(text), {}, {});
  EXPECT_TRUE(made.ok()) << (made ? "" : made.why().text());
  return made ? std::move(made).value() : trace::trace{};
}

// The trace of a list of events.
inline trace::trace read_events(const std::string& events) {
  return read("{\"traceEvents\":[" + events + "]}");
}

}  // namespace ridge::backends::trace_chrome_json
