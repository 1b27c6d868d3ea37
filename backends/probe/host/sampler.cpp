// SPDX-License-Identifier: Apache-2.0
#include "sampler.hpp"

#include <algorithm>

#include <ridge/base/expects.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::backends::probe_host {
namespace {

// A rank that was interrupted before its own first reading starts late, which none of its counts shows.
constexpr double least_late_s = 1e-6, late_share = 0.01;

bool undisturbed(const host::thread_usage& a, const host::thread_usage& b) {
  const auto wall = b.wall_ns - a.wall_ns, cpu = b.cpu_ns - a.cpu_ns;
  return b.involuntary_switches == a.involuntary_switches && b.voluntary_switches == a.voluntary_switches &&
         a.cpu == b.cpu && a.steal_s == b.steal_s && 100 * cpu >= 98 * wall;
}

}  // namespace

// The readings of one rank, on a cache line of their own.
struct alignas(64) sampler::seat {
  host::interference_reader reader{};
  std::int64_t begin = 0, end = 0;
  bool clean = true;
};

sampler::sampler(const measure::clock& clock, int threads)
    : clock_(clock), own_(host::team::of_cores(threads)), crew_(&*own_) {
  take_seats();
}

sampler::sampler(const measure::clock& clock, host::team* team) : clock_(clock), crew_(team) { take_seats(); }

void sampler::take_seats() {
  for (int i = 0; i < threads(); ++i) seats_.push_back(std::make_unique<seat>());
}

sampler::~sampler() = default;

void sampler::run(const rank_body& body) {
  if (crew_ == nullptr) return body(0, 1);
  crew_->run([&](int rank, int size) { body(rank, size); });
}

timing sampler::time(const rank_body& body) {
  run([&](int rank, int size) {
    auto& mine = *seats_[static_cast<std::size_t>(rank)];
    const auto before = mine.reader.read();
    if (crew_) crew_->barrier();  // readings take different times
    mine.begin = clock_.now();
    body(rank, size);
    mine.end = clock_.now();
    mine.clean = undisturbed(before, mine.reader.read());
  });
  auto begin = seats_[0]->begin, last_begin = begin, end = seats_[0]->end;
  bool clean = true;
  for (const auto& one : seats_) {
    begin = std::min(begin, one->begin);
    last_begin = std::max(last_begin, one->begin);
    end = std::max(end, one->end);
    clean = clean && one->clean;
  }
  const double seconds = clock_.seconds(end - begin), late = clock_.seconds(last_begin - begin);
  return {seconds, clean && late < least_late_s + late_share * seconds};
}

rate rate_of(const std::vector<double>& rates) {
  auto sorted = rates;
  std::ranges::sort(sorted);
  const auto found = stats::quantile_with_interval(sorted, 0.5, 0.95);
  expects(found.has_value(), "rate_of: six samples or more");
  return {found->value, found->ci, "", false};
}

rate sample_rate(const measure::clock& clock, const std::function<timing()>& once, double work,
                 double time_s) {
  constexpr std::size_t wanted = 15, least = 7;
  std::vector<double> clean, all;
  const auto begin = clock.now();
  const auto time_left = [&] {
    const double limit_s = clean.size() < least ? 3 * time_s : time_s;
    return clock.seconds(clock.now() - begin) < limit_s;
  };
  while (clean.size() < wanted && (all.size() < least || time_left())) {
    const auto t = once();
    all.push_back(work / t.seconds);
    if (t.clean) clean.push_back(all.back());
  }
  if (clean.size() >= least) {
    auto found = rate_of(clean);
    found.disturbed = 2 * clean.size() < all.size();
    return found;
  }
  const auto middle = rate_of(all).value, best = std::ranges::max(all);
  const auto counts = std::to_string(clean.size()) + " of " + std::to_string(all.size());
  return {best,
          {middle, best},
          "the machine was busy: " + counts + " samples undisturbed, the fastest is shown",
          true};
}

}  // namespace ridge::backends::probe_host
