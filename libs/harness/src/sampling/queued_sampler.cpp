// SPDX-License-Identifier: Apache-2.0
#include "sampling/queued_sampler.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include <ridge/base/expects.hpp>
#include <ridge/harness/session.hpp>

#include "plan/variant_resources.hpp"

namespace ridge::harness {
namespace {

// Host time for enqueueing a block: some hundreds of launches, where a queue holds a thousand.
constexpr double longest_block_s = 1e-3;
// Each call is a launch or more, and a queue holds a thousand; a body that enqueues nothing must not loop for
// ever.
constexpr std::uint64_t most_calls_enqueued = std::uint64_t{1} << 14;
constexpr std::size_t most_samples_a_block = 16;
constexpr double enqueueing_around_a_sample_s = 40e-6, enqueueing_of_a_member_s = 10e-6;
constexpr std::size_t blocks_per_fresh_calls = 3;
constexpr double waiting_s = 30e-6;  // waiting for an idle device takes less where the host did so lately
// The host takes longer for that after it has slept: as long as the samples took, or this.
constexpr double longest_sleep_s = 20e-3;
// An idle device is not waited for longer than that, whatever was seen: others may keep it busy.
constexpr double most_idle_wait_s = 100e-6;

}  // namespace

queued_sampler::queued_sampler(device::device& device, bound_arms& arms)
    : device_(device),
      arms_(arms),
      facts_{.clock = host_ticks(),
             .further_metrics = {cycles_per_call()},
             .events = read_event_clock(device),
             .most_calls = most_calls_enqueued},
      blocks_possible_(!arms.members().has_files() && !arms.report_each_call() &&
                       !arms.members().has_placement(device::placement::small_pages)),
      block_s_(longest_block_s),
      late_(device, arms.members()),
      shelf_(device),
      lots_(std::random_device{}()) {}

queued_sampler::queued_arm& queued_sampler::queued(std::size_t arm) {
  if (arm >= queued_.size()) queued_.resize(arm + 1);
  return queued_[arm];
}

std::string queued_sampler::not_recordable(std::size_t arm) const {
  return arm < queued_.size() ? queued_[arm].not_recordable : std::string{};
}

void queued_sampler::prepare(std::size_t arm) {
  arms_.clean(arm);
  if (mode_ == mode::warm) {
    arms_.call_bodies(arm, arms_.members().used());
    arms_.clean(arm);
  } else {
    device_.evict();
  }
  device_.enqueue_clock_reading();
  arms_.make_ready(arm);
}

// Records the calls for mode::graph; nothing of it runs. It comes before anything is held, since making a
// graph ready may wait for the device.
void queued_sampler::record_calls(std::size_t arm, std::uint64_t n) {
  auto& a = queued(arm);
  const std::pair key{arms_.members().first(), n};
  if (mode_ != mode::graph || !a.not_recordable.empty() || a.recordings.contains(key)) return;
  auto made = device_.record([this, arm, n] { arms_.call_bodies(arm, n); });
  if (made) {
    a.recordings.emplace(key, std::move(made).value());
  } else {
    a.not_recordable = made.why().text();
  }
}

void queued_sampler::enqueue_calls(std::size_t arm, std::uint64_t n) {
  auto& a = queued_[arm];
  if (mode_ == mode::graph && a.not_recordable.empty()) {
    a.recordings.at({arms_.members().first(), n})->enqueue();
  } else {
    arms_.call_bodies(arm, n);
  }
}

// Seconds between two marks minus the overhead of an event pair.
double queued_sampler::net_seconds(device::timestamp start, device::timestamp end) const {
  const double seconds = device_.seconds_between(start, end);
  return std::max(seconds - facts_.events.launch_s, std::min(seconds, facts_.events.tick_s));
}

double queued_sampler::last_hz() {
  const auto readings = device_.take_clock_readings();
  return readings.empty() ? 0 : readings.back().hz;
}

// The calls of a sample between two marks. Where they can be, they are enqueued on a held queue and released
// together.
double queued_sampler::seconds_of(std::size_t arm, std::uint64_t n) {
  auto& a = queued(arm);
  if (a.holds) device_.hold();
  late_.show();
  const auto start = device_.mark();
  const double begin = monotonic_seconds();
  enqueue_calls(arm, n);
  a.enqueue_s = (monotonic_seconds() - begin) / static_cast<double>(n);
  const auto end = device_.mark();
  // An arm that waits for the device itself is timed as it comes from now on.
  if (a.holds && !device_.release()) a.holds = false;
  device_.synchronize();
  return a.holds ? net_seconds(start, end) : device_.seconds_between(start, end);
}

timed_calls queued_sampler::waited_calls(std::size_t arm, std::uint64_t n) {
  timed_calls all;
  late_.show();
  device_.synchronize();
  for (std::uint64_t i = 0; i < n; ++i) {
    const double begin = monotonic_seconds();
    arms_.call_first(arm);
    device_.synchronize();
    const double seconds = monotonic_seconds() - begin;
    all.each_s.push_back(seconds);
    all.seconds += seconds;
  }
  return all;
}

timed_calls queued_sampler::take(std::size_t arm, std::uint64_t n) {
  // Before the sample, whose results are read afterwards.
  const bool once_more = n > 1 && lots_.below(blocks_per_fresh_calls) == 0;
  const auto fresh_s = once_more ? single_fresh_call(arm) : std::nullopt;
  late_.hide();
  record_calls(arm, n);
  prepare(arm);
  auto taken =
      mode_ == mode::host_latency ? waited_calls(arm, n) : timed_calls{.seconds = seconds_of(arm, n)};
  taken.hz = last_hz();
  look_around(queued(arm).left, taken.seconds);
  if (fresh_s) note_fresh_call(arm, *fresh_s, taken.seconds / static_cast<double>(n));
  return taken;
}

void queued_sampler::note_fresh_call(std::size_t arm, double fresh_s, double in_row_s) {
  queued(arm).fresh.fresh_s.push_back(fresh_s);
  queued(arm).fresh.in_row_s.push_back(in_row_s);
}

void queued_sampler::take_fresh_call(std::size_t arm, double in_row_s) {
  if (const auto seconds = single_fresh_call(arm)) note_fresh_call(arm, *seconds, in_row_s);
}

// Seconds of a call on fresh data, held and waited for; nothing where that is not possible.
std::optional<double> queued_sampler::single_fresh_call(std::size_t arm) {
  if (mode_ != mode::cold || !queued(arm).holds || !late_.make_room_for_all()) return {};
  device_.hold();
  const auto made = enqueue_fresh_call(arm);
  const bool held = device_.release();
  device_.synchronize();
  (void)device_.take_clock_readings();
  (void)device_.take_digests();
  (void)device_.take_block_sums();
  if (!held) return {};
  return net_seconds(made.start, made.end);
}

// Seconds of a wait for the device when nothing runs on it and the host has slept.
double queued_sampler::idle_wait_s(double slept_s) {
  std::this_thread::sleep_for(std::chrono::duration<double>(std::min(slept_s, longest_sleep_s)));
  device_.synchronize();
  return std::min(device_.wait_for_other_work(), most_idle_wait_s);
}

// Whether the last samples, of `seconds_waited`, left work running, and whether somebody changed the device.
// A wait that is longer than one for an idle device is held against another for an idle device.
void queued_sampler::look_around(work_left& left, double seconds_waited) {
  const double seconds = device_.wait_for_other_work();
  ++left.looked;
  if (seconds > waiting_s && seconds > 2 * idle_wait_s(seconds_waited)) {
    ++left.found;
    left.most_s = std::max(left.most_s, seconds);
  }
  if (tampered_.empty()) tampered_ = device_.tampering();
}

fresh_calls queued_sampler::fresh_calls_of(std::size_t arm) const {
  return arm < queued_.size() ? queued_[arm].fresh : fresh_calls{};
}

work_left queued_sampler::work_left_by(std::size_t arm) const {
  return arm < queued_.size() ? queued_[arm].left : work_left{};
}

double queued_sampler::take_between(std::size_t arm, std::uint64_t n, const std::function<void()>& before,
                                    const std::function<void()>& after) {
  expects(mode_ == mode::cold, "queued_sampler: take_between samples in mode::cold alone");
  prepare(arm);
  before();
  const double seconds = seconds_of(arm, n);
  after();
  (void)last_hz();
  return seconds;
}

void queued_sampler::call_once(std::size_t arm) {
  prepare(arm);
  arms_.call_first(arm);
  device_.synchronize();
  (void)last_hz();
}

bool queued_sampler::can_queue(std::size_t arm) {
  return blocks_possible_ && queued(arm).holds && mode_ != mode::host_latency;
}

// How many of the turns, from the first on, are enqueued together: as many as the device's queue holds.
std::size_t queued_sampler::block_at_front(std::span<const turn> turns) {
  double seconds = 0;
  std::size_t count = 0;
  for (; count < turns.size() && count < most_samples_a_block; ++count) {
    const auto& next = turns[count];
    seconds += enqueueing_around_a_sample_s +
               static_cast<double>(arms_.members().used()) * enqueueing_of_a_member_s +
               static_cast<double>(next.n) * queued(next.arm).enqueue_s;
    if (!can_queue(next.arm) || (count > 0 && seconds > block_s_)) break;
  }
  return count;
}

bool queued_sampler::room_for_outputs(std::span<const turn> turns) {
  std::size_t members = 0;
  for (const auto& next : turns) members += arms_.called_members(next.arm, next.n).size();
  const auto& first = arms_.called_members(turns.front().arm, 1).front().get().memory;
  return shelf_.make_room(members * arms_.members().result_bytes(), members * first.arrays().size());
}

std::size_t queued_sampler::take_block(std::span<const turn> turns, bool with_outputs,
                                       const settled_sample& settled) {
  while (true) {
    const auto count = block_at_front(turns);
    if (count <= 1 || (with_outputs && !room_for_outputs(turns.first(count)))) {
      block_s_ = std::min(longest_block_s, 1.25 * block_s_);  // what cut the blocks short may be over
      return 0;
    }
    if (run_block(turns.first(count), with_outputs, settled)) return count;
    block_s_ /= 2;  // the device released it by itself: the queue was full, or an arm waits for the device
  }
}

// Everything of one sample but the wait.
queued_sampler::queued_sample queued_sampler::enqueue_sample(const turn& next) {
  const double begin = monotonic_seconds();
  prepare(next.arm);
  late_.show();
  queued_sample made{.turn = next, .start = device_.mark()};
  const double calls_begin = monotonic_seconds();
  enqueue_calls(next.arm, next.n);
  const double calls_s = monotonic_seconds() - calls_begin;
  made.end = device_.mark();
  arms_.enqueue_prints(next.arm, next.n);
  made.host_s = monotonic_seconds() - begin - calls_s;
  return made;
}

// A call on the data of another member brings the arrays and what the arm keeps of them near, as the calls
// before it do in a sample; then the round's data and poison come, and the call that is timed.
queued_sampler::queued_sample queued_sampler::enqueue_fresh_call(std::size_t arm) {
  late_.hide_all();
  prepare(arm);
  arms_.call_first(arm);
  arms_.clean(arm);
  late_.show_all();
  queued_sample made{.turn = {arm, 1}, .start = device_.mark()};
  arms_.call_first(arm);
  made.end = device_.mark();
  arms_.enqueue_prints(arm, 1);
  return made;
}

// The arms that are called on fresh data behind this block: in some blocks those whose samples hold several
// calls.
std::vector<std::size_t> queued_sampler::draw_fresh_calls(std::span<const turn> turns) {
  std::vector<std::size_t> drawn;
  if (mode_ != mode::cold || lots_.below(blocks_per_fresh_calls) != 0 || !late_.make_room_for_all())
    return drawn;
  for (const auto& next : turns) {
    if (next.n > 1) drawn.push_back(next.arm);
  }
  for (std::size_t i = drawn.size(); i > 1; --i) std::swap(drawn[i - 1], drawn[lots_.below(i)]);
  return drawn;
}

void queued_sampler::note_fresh_calls(const std::vector<queued_sample>& fresh,
                                      const std::vector<queued_sample>& samples) {
  for (const auto& one : fresh) {
    const auto arm = one.turn.arm;
    const auto in_row = std::ranges::find(samples, arm, [](const auto& s) { return s.turn.arm; });
    note_fresh_call(arm, net_seconds(one.start, one.end),
                    net_seconds(in_row->start, in_row->end) / static_cast<double>(in_row->turn.n));
    auto& notes = queued(arm).fresh;
    if (notes.wrong.empty())
      notes.wrong = disagreement(one.prints.front(), in_row->prints.front(), arms_.within(arm));
  }
}

// False when the device did not wait for the whole block; nothing of it is kept then.
bool queued_sampler::run_block(std::span<const turn> turns, bool with_outputs,
                               const settled_sample& settled) {
  std::vector<queued_sample> samples, fresh;
  late_.hide();
  const auto called_once_more = draw_fresh_calls(turns);
  for (const auto& next : turns) record_calls(next.arm, next.n);
  device_.hold();
  for (const auto& next : turns) {
    late_.hide_again();
    samples.push_back(enqueue_sample(next));
    if (!with_outputs) continue;
    for (const auto& member : arms_.called_members(next.arm, next.n)) shelf_.enqueue(member.get().memory);
  }
  for (const auto arm : called_once_more) fresh.push_back(enqueue_fresh_call(arm));
  const double released = monotonic_seconds();
  const bool held = device_.release();
  device_.synchronize();
  const double wall_s = monotonic_seconds() - released;
  look_around(left_by_blocks_, wall_s);
  const auto readings = device_.take_clock_readings();
  taken_results results{.digests = device_.take_digests(), .sums = device_.take_block_sums()};
  auto outputs = shelf_.take();
  if (!held) return false;
  for (auto* list : {&samples, &fresh}) {
    for (auto& one : *list) one.prints = arms_.next_prints(one.turn.arm, one.turn.n, results);
  }
  note_fresh_calls(fresh, samples);
  double events_s = 0;
  auto next_output = outputs.begin();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    auto& [next, start, end, host_s, prints] = samples[i];
    events_s += device_.seconds_between(start, end);
    blocks_.host_s.push_back(host_s);
    sample_results made{.prints = std::move(prints)};
    if (with_outputs) {
      const auto last = next_output + static_cast<std::ptrdiff_t>(made.prints.size());
      made.outputs.assign(std::move_iterator(next_output), std::move_iterator(last));
      next_output = last;
    }
    settled(next, {.seconds = net_seconds(start, end), .hz = i < readings.size() ? readings[i].hz : 0},
            std::move(made));
  }
  blocks_.most_of_wall = std::max(blocks_.most_of_wall, events_s / wall_s);
  blocks_.most_samples = std::max(blocks_.most_samples, turns.size());
  return true;
}

// Seconds from the end of one clock reading to the beginning of the next, with n calls between them.
double queued_sampler::timer_span_s(std::size_t arm, std::uint64_t n, double& events_s) {
  arms_.clean(arm);
  device_.hold();
  device_.enqueue_clock_reading();
  const auto start = device_.mark();
  if (n > 0) arms_.call_bodies(arm, n);
  const auto end = device_.mark();
  device_.enqueue_clock_reading();
  if (!device_.release()) queued(arm).holds = false;
  device_.synchronize();
  events_s = device_.seconds_between(start, end);
  const auto readings = device_.take_clock_readings();
  if (readings.size() != 2) return 0;
  return static_cast<double>(readings[1].begin_ns - readings[0].end_ns) * 1e-9;
}

std::optional<two_clocks> queued_sampler::by_two_clocks(std::size_t arm) {
  if (!queued(arm).holds) return {};
  double empty_s = 0, events_s = 0;
  const double empty_span_s = timer_span_s(arm, 0, empty_s);
  const double span_s = timer_span_s(arm, 1, events_s);
  if (!queued(arm).holds || span_s <= 0) return {};
  return two_clocks{.events_s = events_s - empty_s, .timer_s = span_s - empty_span_s};
}

}  // namespace ridge::harness
