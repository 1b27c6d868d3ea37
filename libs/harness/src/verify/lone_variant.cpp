// SPDX-License-Identifier: Apache-2.0
#include "verify/lone_variant.hpp"

#include <csignal>

#include <atomic>
#include <new>
#include <utility>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>

#include "child/in_child.hpp"
#include "sampling/second_clock.hpp"
#include "verify/called_variant.hpp"

namespace ridge::harness {

// What the variant's process is asked for, and what it answers.
struct lone_variant::order {
  enum class kind : std::uint8_t { stage, call, end };
  std::atomic<kind> asked{kind::end};
  std::atomic<std::size_t> member{0}, members{1};
  std::atomic<std::uint64_t> calls{1}, times{1};
  std::atomic<double> seconds{0}, last_seconds{0};
};

lone_variant::lone_variant(const family_state& family, std::size_t variant,
                           std::vector<keyed_member*> members, double limit_s)
    : memory_(sizeof(order)), orders_(new(memory_.bytes().data()) order), limit_s_(limit_s) {
  child_.emplace(
      [&](const stepped_child::next_step& next) { return work(family, variant, members, *orders_, next); });
  memory_.hide_from_children();
}

std::string lone_variant::work(const family_state& family, std::size_t variant,
                               const std::vector<keyed_member*>& members, order& orders,
                               const std::function<void()>& next) {
  try {
    const second_clock clock;
    const std::uint64_t mask = random_bits();
    called_variant called(family.definition, variant, family.planned.problem, family.equipment, members);
    called.bind();
    for (next(); orders.asked != order::kind::end; next()) {
      if (orders.asked == order::kind::stage) {
        called.stage(orders.member);
        continue;
      }
      const std::size_t first = orders.member, used = orders.members;
      const std::uint64_t n = orders.calls, times = orders.times;
      called.place();
      for (std::uint64_t i = 0; i < times; ++i) {
        const auto hidden_start = masked(clock.now(), mask);
        for (std::size_t at = 0; at < used; ++at) {
          const auto calls = n / used + (at < n % used ? 1 : 0);
          if (calls > 0) called.run(first + at, calls);
        }
        wait_for_stores();
        const auto end = clock.now();
        const double seconds = static_cast<double>(end - (hidden_start ^ mask)) * clock.seconds_per_tick();
        (i == 0 ? orders.seconds : orders.last_seconds) = seconds;
      }
    }
  } catch (const std::exception& thrown) {
    return fmt::format("threw: {}", thrown.what());
  }
  return {};
}

bool lone_variant::is_back() {
  here_ = here_ && child_->waits(limit_s_);
  child_->signal(SIGSTOP);
  return here_;
}

bool lone_variant::step() {
  const double start = monotonic_seconds();
  child_->signal(SIGCONT);
  child_->proceed();
  const bool back = is_back();
  outside_s_ = monotonic_seconds() - start;
  return back;
}

bool lone_variant::bound() { return is_back(); }

bool lone_variant::stage(std::size_t member) {
  orders_->asked = order::kind::stage;
  orders_->member = member;
  return step();
}

bool lone_variant::call(std::size_t first, std::size_t members, std::uint64_t n, std::uint64_t times) {
  orders_->asked = order::kind::call;
  orders_->member = first;
  orders_->members = members;
  orders_->calls = n;
  orders_->times = times;
  twice_ = times > 1;
  return step();
}

lone_times lone_variant::times() const {
  return {orders_->seconds, twice_ ? double{orders_->last_seconds} : 0, outside_s_};
}

silent_end lone_variant::end() {
  orders_->asked = order::kind::end;
  child_->signal(SIGCONT);
  const auto done = child_->finish(limit_s_);
  if (!succeeded(done.outcome)) return silent_end_of(done.outcome, control_group_);
  if (!done.output.empty()) return {.why = done.output, .failure = model::failure_kind::threw};
  return {.why = here_ ? std::string{} : std::string("ended the process it ran in")};
}

}  // namespace ridge::harness
