// SPDX-License-Identifier: Apache-2.0
#include "input/plan_serve_control.hpp"

#include <fmt/format.h>

#include "input/plan_numbers.hpp"
#include "input/plan_times.hpp"

namespace ridge::app_plan {

using namespace plan::serve;

result<void> take_autoscaler(const std::string& text, autoscaler_settings& settings) {
  if (text.empty()) return {};
  constexpr auto remedy =
      "write LEAST:MOST[:TARGET[:WARM-UP[:DELAY[:INTERVAL]]]], a share and times in seconds";
  std::size_t times_from = 0;
  for (int colons = 0; colons < 3 && times_from != std::string::npos; ++colons)
    times_from = text.find(':', times_from + (colons > 0 ? 1 : 0));
  const auto n = numbers_between_colons("--autoscale", text.substr(0, times_from), 2, 3, remedy);
  if (!n) return n.why();
  settings.least = static_cast<int>((*n)[0]), settings.most = static_cast<int>((*n)[1]);
  if (n->size() > 2) settings.target = (*n)[2];
  if (times_from == std::string::npos) return {};
  const auto s = times_between_colons("--autoscale", text.substr(times_from + 1), 1, 3, second_s, remedy);
  if (!s) return s.why();
  settings.warm_up_s = (*s)[0];
  if (s->size() > 1) settings.scale_down_delay_s = (*s)[1];
  if (s->size() > 2) settings.interval_s = (*s)[2];
  return {};
}

result<void> take_failures(const std::string& text, failure_settings& settings) {
  if (text.empty()) return {};
  const auto n = times_between_colons("--failures", text, 1, 2, second_s,
                                      "write MTBF[:RECOVERY] per replica: 3600:300 (s), 2h:5min");
  if (!n) return n.why();
  constexpr double least_s = 1;
  if ((*n)[0] < least_s)
    return error{
        fmt::format("--failures \"{}\": a replica that fails more than once a second serves nothing", text),
        "give a mean time between failures of 1 s at least"};
  settings.mtbf_s = (*n)[0];
  if (n->size() > 1) settings.recovery_s = (*n)[1];
  return {};
}

result<void> take_admission(const service_choice& c, admission_settings& settings) {
  if (!c.reject_ttft.empty()) {
    const auto limit = period_of("--reject-ttft", c.reject_ttft, millisecond_s);
    if (!limit) return limit.why();
    settings.ttft_limit_s = *limit;
  }
  if (c.admission.empty()) return {};
  const auto n = numbers_between_colons("--token-bucket", c.admission, 1, 2, "write TOKENS-A-SECOND[:DEPTH]");
  if (!n) return n.why();
  if (!(n->front() > 0) || !(n->back() > 0) || n->front() > 1e12 || n->back() > 1e15)
    return error{fmt::format("--token-bucket \"{}\" admits nothing, or everything", c.admission),
                 "give tokens per second above 0 and, after a colon, a depth above 0"};
  settings.tokens_per_s = (*n)[0];
  settings.bucket_tokens = n->size() > 1 ? (*n)[1] : 10 * (*n)[0];
  return {};
}

}  // namespace ridge::app_plan
