// SPDX-License-Identifier: Apache-2.0
#include <ridge.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <ridge/base/utf8.hpp>
#include <ridge/model/json.hpp>

#include "result.hpp"
#include "session.hpp"

#ifndef RIDGE_VERSION
#define RIDGE_VERSION "unknown"
#endif

// What a handle of the C interface stands for.
struct ridge_session {
  ridge::bench::definition definition{};
  std::optional<ridge::bench::result> result{};
  const char* error = "";  // a literal, or the text of `thrown`
  std::string thrown{};
  std::string summary{};
  std::string json{};
  std::string assurance{};
};

namespace {

using ridge::well_formed_utf8;
using ridge::bench::callback;
using ridge::bench::definition;

constexpr std::size_t most_arms = 64;

int refuse(ridge_session* session, const char* why) {
  session->error = why;
  return ridge_wrong_use;
}

constexpr const char* no_memory_left = "there is no memory left";

// Keeps what was thrown as the error of the session; returns the status.
int fail(ridge_session* session, int status, const std::exception& why) noexcept {
  try {
    session->thrown = why.what();
    session->error = session->thrown.c_str();
  } catch (...) {
    session->error = no_memory_left;
  }
  return status;
}

// Runs `body`, which returns an enum ridge_status, and turns what it throws into one and a message.
template <class Body>
int guarded(ridge_session* session, Body body) noexcept {
  if (session == nullptr) return ridge_wrong_use;
  session->error = "";
  try {
    return body();
  } catch (const ridge::bench::callback_failed& why) {
    return fail(session, ridge_failed, why);
  } catch (const ridge::bench::nothing_measured& why) {
    return fail(session, ridge_stopped, why);
  } catch (const std::bad_alloc&) {
    session->error = no_memory_left;
    return ridge_no_memory;
  } catch (const std::exception& why) {
    return fail(session, ridge_internal, why);
  } catch (...) {
    session->error = "a defect of Ridge: something was thrown that is no std::exception";
    return ridge_internal;
  }
}

// Returns a text of the result, which is kept until the next one of its kind; "" where there is no result, or
// no memory for it.
template <class Text>
const char* kept_text(ridge_session* session, std::string ridge_session::*text, Text make) noexcept {
  if (session == nullptr || !session->result) return "";
  try {
    session->*text = make(*session->result);
    return (session->*text).c_str();
  } catch (...) {
    return "";
  }
}

template <class Function>
int add_arm(ridge_session* session, const char* name, Function function, void* user) {
  return guarded(session, [&] {
    auto& arms = session->definition.arms;
    if (name == nullptr || *name == '\0') return refuse(session, "an arm needs a name");
    if (function == nullptr) return refuse(session, "an arm needs a function");
    if (arms.size() == most_arms) return refuse(session, "a session has 64 arms at most");
    auto text = well_formed_utf8(name);
    if (std::ranges::count(arms, text, &ridge::bench::arm::name) > 0)
      return refuse(session, "two arms have the same name");
    arms.push_back({std::move(text), callback<Function>{function, user}});
    return static_cast<int>(ridge_ok);
  });
}

// Sets a member of the definition where `holds`; else complains.
template <class Member, class Value>
int set(ridge_session* session, Member definition::*member, Value value, bool holds = true,
        const char* complaint = "") {
  return guarded(session, [&] {
    if (!holds) return refuse(session, complaint);
    session->definition.*member = value;
    return static_cast<int>(ridge_ok);
  });
}

int set_number(ridge_session* session, double ridge::harness::protocol::*member, double value, double below,
               const char* complaint) {
  return guarded(session, [&] {
    if (!(value > 0) || !(value < below)) return refuse(session, complaint);
    session->definition.protocol.*member = value;
    return static_cast<int>(ridge_ok);
  });
}

// Changes an arm that was added.
template <class Change>
int with_arm(ridge_session* session, std::size_t arm, Change change) {
  return guarded(session, [&] {
    auto& arms = session->definition.arms;
    if (arm >= arms.size()) return refuse(session, "no arm of that number was added");
    change(arms[arm]);
    return static_cast<int>(ridge_ok);
  });
}

double unknown() { return std::numeric_limits<double>::quiet_NaN(); }

const ridge::model::comparison* comparison_on(const ridge_session* session, std::size_t candidate) {
  if (session == nullptr || !session->result || candidate == 0) return nullptr;
  const auto& list = session->result->family().comparisons;
  return candidate <= list.size() ? &list[candidate - 1] : nullptr;
}

const ridge::model::measurement* measurement_of(const ridge_session* session, std::size_t arm) {
  if (session == nullptr || !session->result) return nullptr;
  const auto& list = session->result->family().measurements;
  return arm < list.size() && !list[arm].metrics.empty() ? &list[arm] : nullptr;
}

}  // namespace

extern "C" {

uint32_t ridge_api_version(void) { return RIDGE_API_VERSION; }
const char* ridge_version(void) { return RIDGE_VERSION; }

ridge_session* ridge_open(const char* title) {
  try {
    auto* made = new ridge_session;
    if (title != nullptr) made->definition.title = well_formed_utf8(title);
    return made;
  } catch (...) {
    return nullptr;
  }
}

void ridge_close(ridge_session* session) { delete session; }

const char* ridge_error(const ridge_session* session) {
  return session == nullptr ? "there is no session" : session->error;
}

int ridge_add_call(ridge_session* session, const char* name, ridge_call call, void* user) {
  return add_arm(session, name, call, user);
}
int ridge_add_loop(ridge_session* session, const char* name, ridge_loop loop, void* user) {
  return add_arm(session, name, loop, user);
}
int ridge_add_sample(ridge_session* session, const char* name, ridge_sample sample, void* user) {
  return add_arm(session, name, sample, user);
}

int ridge_set_prepare(ridge_session* session, ridge_prepare prepare, void* user) {
  return set(session, &definition::prepare, callback<ridge_prepare>{prepare, user});
}
int ridge_set_check(ridge_session* session, ridge_check check, void* user) {
  return set(session, &definition::check, callback<ridge_check>{check, user});
}
int ridge_set_agreement(ridge_session* session, ridge_agreement agreement, void* user) {
  return set(session, &definition::agreement, callback<ridge_agreement>{agreement, user});
}
int ridge_set_watch(ridge_session* session, ridge_watch watch, void* user) {
  return set(session, &definition::watch, callback<ridge_watch>{watch, user});
}

int ridge_set_budget(ridge_session* session, double seconds) {
  return set_number(session, &ridge::harness::protocol::budget_s, seconds, 1e6,
                    "the budget is above 0 and below 1000000 seconds");
}
int ridge_set_min_effect(ridge_session* session, double share) {
  return set_number(session, &ridge::harness::protocol::min_effect, share, 1,
                    "the smallest effect that matters is above 0 and below 1: 0.01 is 1 %");
}
int ridge_set_seed(ridge_session* session, uint64_t seed) {
  return set(session, &definition::seed, std::optional<std::uint64_t>(seed));
}
int ridge_set_sample_seconds(ridge_session* session, double seconds) {
  const int status = set_number(session, &ridge::harness::protocol::sample_s, seconds, 1e3,
                                "a sample takes above 0 and below 1000 seconds");
  if (status == ridge_ok) session->definition.protocol.single_call_s = seconds;
  return status;
}
int ridge_set_single_calls(ridge_session* session, int single) {
  return ridge_set_calls_per_sample(session, single != 0 ? 1 : 0);
}
int ridge_set_calls_per_sample(ridge_session* session, uint64_t calls) {
  return set(session, &definition::calls_per_sample, calls);
}
int ridge_set_fixed_inputs(ridge_session* session, int fixed) {
  return set(session, &definition::fixed_inputs, fixed != 0);
}
int ridge_set_gpu_time(ridge_session* session, int on_gpu) {
  return set(session, &definition::gpu_time, on_gpu != 0);
}

int ridge_set_code(ridge_session* session, size_t arm, const void* code) {
  return with_arm(session, arm, [&](ridge::bench::arm& one) { one.code = code; });
}
int ridge_set_optimized(ridge_session* session, size_t arm, int optimized) {
  return with_arm(session, arm, [&](ridge::bench::arm& one) { one.optimized = optimized != 0; });
}
int ridge_set_pinned(ridge_session* session, int pinned) {
  return set(session, &definition::pinned, pinned != 0);
}

int ridge_set_fact(ridge_session* session, const char* name, const char* text) {
  return guarded(session, [&] {
    if (name == nullptr || text == nullptr) return refuse(session, "a fact needs a name and a text");
    session->definition.facts.emplace_back(well_formed_utf8(name), well_formed_utf8(text));
    return static_cast<int>(ridge_ok);
  });
}

int ridge_add_check(ridge_session* session, const char* name, int outcome, const char* text) {
  return guarded(session, [&] {
    if (name == nullptr || text == nullptr) return refuse(session, "a check needs a name and a text");
    if (outcome < ridge_pass || outcome > ridge_skipped)
      return refuse(session, "a check passes, warns, fails or is skipped");
    const ridge::model::check one{.id = well_formed_utf8(name),
                                  .result = static_cast<ridge::model::outcome>(outcome),
                                  .evidence = well_formed_utf8(text)};
    if (session->result) {
      add_check(*session->result, one);
    } else {
      session->definition.checks.push_back(one);
    }
    return static_cast<int>(ridge_ok);
  });
}

int ridge_run(ridge_session* session) {
  return guarded(session, [&] {
    session->result.reset();
    if (session->definition.arms.empty()) return refuse(session, "a session needs an arm");
    session->result = ridge::bench::measure(session->definition);
    return static_cast<int>(ridge_ok);
  });
}

size_t ridge_arms(const ridge_session* session) {
  return session == nullptr ? 0 : session->definition.arms.size();
}

uint64_t ridge_rounds(const ridge_session* session) {
  return session == nullptr || !session->result ? 0 : session->result->family().rounds;
}

int ridge_verdict_on(const ridge_session* session, size_t candidate) {
  const auto* found = comparison_on(session, candidate);
  return found == nullptr ? static_cast<int>(ridge_unverified) : static_cast<int>(found->verdict);
}

const char* ridge_verdict_word(int verdict) {
  if (verdict < ridge_better || verdict > ridge_unverified) return "";
  return ridge::model::name(static_cast<ridge::model::verdict>(verdict)).data();
}

double ridge_ratio(const ridge_session* session, size_t candidate) {
  const auto* found = comparison_on(session, candidate);
  return found == nullptr ? unknown() : found->ratio;
}
double ridge_ratio_low(const ridge_session* session, size_t candidate) {
  const auto* found = comparison_on(session, candidate);
  return found == nullptr ? unknown() : found->ci.lo;
}
double ridge_ratio_high(const ridge_session* session, size_t candidate) {
  const auto* found = comparison_on(session, candidate);
  return found == nullptr ? unknown() : found->ci.hi;
}

double ridge_seconds(const ridge_session* session, size_t arm) {
  const auto* found = measurement_of(session, arm);
  return found == nullptr ? unknown() : found->metrics.front().median;
}
double ridge_seconds_low(const ridge_session* session, size_t arm) {
  const auto* found = measurement_of(session, arm);
  return found == nullptr ? unknown() : found->metrics.front().ci.lo;
}
double ridge_seconds_high(const ridge_session* session, size_t arm) {
  const auto* found = measurement_of(session, arm);
  return found == nullptr ? unknown() : found->metrics.front().ci.hi;
}

uint64_t ridge_calls(const ridge_session* session, size_t arm) {
  const auto* found = measurement_of(session, arm);
  return found == nullptr ? 0 : found->iterations;
}

const double* ridge_samples(const ridge_session* session, size_t arm, size_t* count) {
  const auto* found = measurement_of(session, arm);
  if (count != nullptr) *count = found == nullptr ? 0 : found->samples.front().value.size();
  return found == nullptr ? nullptr : found->samples.front().value.data();
}

double ridge_noise_floor(const ridge_session* session) {
  return session == nullptr || !session->result ? unknown() : noise_floor(*session->result);
}

int ridge_assurance(const ridge_session* session) {
  return session == nullptr || !session->result ? 0 : session->result->assurance;
}

const char* ridge_invalid_reason(const ridge_session* session) {
  return session == nullptr || !session->result ? "" : session->result->invalid_reason.c_str();
}

int ridge_was_stopped(const ridge_session* session) {
  return session != nullptr && session->result && session->result->was_stopped ? 1 : 0;
}

const char* ridge_assurance_text(ridge_session* session) {
  return kept_text(session, &ridge_session::assurance, ridge::bench::assurance_text);
}

const char* ridge_summary(ridge_session* session) {
  return kept_text(session, &ridge_session::summary, ridge::bench::summary);
}

const char* ridge_json(ridge_session* session, int samples) {
  const auto kept = samples != 0 ? ridge::model::samples::kept : ridge::model::samples::left_out;
  return kept_text(session, &ridge_session::json,
                   [&](const ridge::bench::result& found) { return ridge::model::to_json(found.run, kept); });
}

}  // extern "C"
