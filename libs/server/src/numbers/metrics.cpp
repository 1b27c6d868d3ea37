// SPDX-License-Identifier: Apache-2.0
#include "numbers/metrics.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace ridge::server {
namespace {

// A label's value with what the format escapes.
std::string label(std::string_view text) {
  std::string made;
  for (const char letter : text) {
    if (letter == '\\' || letter == '"') made += '\\';
    if (letter == '\n')
      made += "\\n";
    else
      made += letter;
  }
  return made;
}

// Clients choose the method: those that no route can have are counted together, so that nobody makes this
// grow.
std::string_view counted_method(std::string_view method) {
  constexpr std::string_view known[] = {"-", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
  return std::ranges::find(known, method) == std::end(known) ? std::string_view("other") : method;
}

void begin(std::string& text, std::string_view name, std::string_view type, std::string_view help) {
  text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

}  // namespace

void metrics::count(const std::string& route, std::string_view method, int status, double seconds) {
  const std::lock_guard guard(mutex_);
  ++requests_[{route, std::string(counted_method(method)), status}];
  auto& times = durations_[route];
  const auto bucket = std::ranges::lower_bound(bounds, seconds) - bounds.begin();
  ++times.counts[static_cast<std::size_t>(bucket)];
  times.sum += seconds;
}

void metrics::drop_stream() {
  const std::lock_guard guard(mutex_);
  ++dropped_streams_;
}

std::string metrics::text(const std::vector<gauge>& gauges) const {
  const std::lock_guard guard(mutex_);
  std::string text;
  begin(text, "ridge_http_requests_total", "counter", "Requests answered, by route, method and status");
  for (const auto& [key, count] : requests_)
    text += fmt::format("ridge_http_requests_total{{route=\"{}\",method=\"{}\",status=\"{}\"}} {}\n",
                        label(std::get<0>(key)), label(std::get<1>(key)), std::get<2>(key), count);
  begin(text, "ridge_http_request_seconds", "histogram",
        "Time from the end of the header to the end of the answer");
  for (const auto& [route, times] : durations_) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < times.counts.size(); ++i) {
      total += times.counts[i];
      const auto bound = i < bounds.size() ? fmt::format("{}", bounds[i]) : std::string("+Inf");
      text += fmt::format("ridge_http_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", label(route),
                          bound, total);
    }
    text += fmt::format(
        "ridge_http_request_seconds_sum{{route=\"{0}\"}} "
        "{1}\nridge_http_request_seconds_count{{route=\"{0}\"}} {2}\n",
        label(route), times.sum, total);
  }
  begin(text, "ridge_event_streams_dropped_total", "counter",
        "Streams of events closed because the client was too slow");
  text += fmt::format("ridge_event_streams_dropped_total {}\n", dropped_streams_);
  for (const auto& one : gauges) {
    begin(text, one.name, "gauge", one.help);
    text += fmt::format("{} {}\n", one.name, one.value);
  }
  return text;
}

}  // namespace ridge::server
