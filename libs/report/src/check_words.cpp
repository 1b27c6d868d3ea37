// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/check_words.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace ridge::report {
namespace {

// What it means when a check does not hold, by the id of the check.
constexpr std::pair<std::string_view, std::string_view> meanings[] = {
    {"alone", "the gain is lost where each variant is alone"},
    {"arithmetic", "the arithmetic is not the one declared"},
    {"audit", "calls have side effects"},
    {"baseline", "the baseline is slower than the oracle"},
    {"capacity", "memory does not suffice"},
    {"ceilings", "faster than the measured ceiling: check"},
    {"clock", "two clocks disagree"},
    {"clocks", "the GPU's clock was held down"},
    {"clocks_agree", "the clocks of host and device disagree"},
    {"control", "the baseline differs from itself between rounds"},
    {"cpu_time", "more threads compute than are declared"},
    {"cycles", "the variants ran at different clocks"},
    {"dependence", "neighbouring ratios depend on each other"},
    {"drift", "the two halves of the session disagree"},
    {"edges", "wrong or not tried at the edge sizes"},
    {"error", "the error of timed results grew"},
    {"forks", "processes disagree"},
    {"fresh_calls", "the gain is lost in calls on new data"},
    {"fresh_data", "the gain is lost on new data"},
    {"guards", "memory around the arrays was written"},
    {"harness", "the measurement failed"},
    {"idle_gpu", "the GPU still works when the samples are over"},
    {"interference", "disturbed by other activity"},
    {"left_running", "work goes on after the call has ended"},
    {"mean", "the gain is lost in the mean of all calls"},
    {"memory", "more memory is held than the metric counts"},
    {"noise", "the noise floor exceeds the effect"},
    {"observed", "the variants report the metric themselves"},
    {"optimization", "compiled without optimization or with a sanitizer"},
    {"repeats", "the gain is lost where each call has its own data"},
    {"resolution", "samples are too short for the clock"},
    {"sandbox", "the kernel did not grant every part of the sandbox"},
    {"scaling", "the time does not grow with the work"},
    {"spans", "what the variants mark or observe does not fit their calls"},
    {"speedup", "gains above ten times are not explained"},
    {"stage", "the gain is lost with the conversion of inputs counted"},
    {"state", "calls change the state of the process"},
    {"suspended", "code runs while it should be stopped"},
    {"timed_results", "outputs of timed calls are wrong"},
    {"tolerance", "the candidate has a wider tolerance than the reference"},
    {"traffic", "the declared traffic is less than the problem's"},
    {"verified", "outputs are wrong"},
    {"warm", "not steady when the warm-up ended"},
    {"work", "the declared work is less than the arrays hold"},
};

}  // namespace

std::string check_in_words(std::string_view id) {
  const auto stem = id.substr(0, id.find('.'));
  const auto* at = std::ranges::find(meanings, stem, &std::pair<std::string_view, std::string_view>::first);
  return std::string(at == std::end(meanings) ? id : at->second);
}

}  // namespace ridge::report
