// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/model/measured_series.hpp>

// Where the level of a measured series changes from run to run (docs/design/changes.md).
namespace ridge::changes {

// What counts as a change.
struct rules {
  double alpha = 0.001;            // greatest p of a change
  double false_share = 0.05;       // greatest expected share of false changes among all that one pass finds
  double min_effect = 0.01;        // smallest relative difference of the levels
  std::size_t newest_runs = 5000;  // so many runs of a series are looked at
  std::size_t fewest = 3;          // runs that a change needs on either side
  // Returns how many runs a series needs before it is searched at all.
  [[nodiscard]] constexpr std::size_t enough() const { return 2 * fewest + 2; }
};

// Whether a change is for the better, by the metric of its series.
enum class direction : std::uint8_t { better, worse };
[[nodiscard]] std::string_view name(direction d);

// The states that a person gives a change.
[[nodiscard]] std::span<const std::string_view> states();

// A fact of the environment that differs between two runs. A fact that one of them lacks is empty.
struct fact_difference {
  std::string fact{};
  std::string before{};
  std::string after{};
  bool operator==(const fact_difference&) const = default;
};

// Runs at one level, by index into the points.
struct segment {
  std::size_t begin = 0;
  std::size_t end = 0;  // after the last
  std::string first_run{};
  std::string last_run{};
  double median = 0;             // in the unit of the metric
  std::optional<interval> ci{};  // of the median, at least 95 %; absent below six runs, where none exists
};

// A change of level.
struct change {
  std::size_t index = 0;  // of the first point of the new level
  std::string run_before{};
  std::string run{};      // the first run of the new level; the true change may lie a run or two beside it
  std::string started{};  // of `run`
  double before = 0;      // medians of the levels, in the unit of the metric
  double after = 0;
  double ratio = 1;   // how many times better the new level is; NaN where a level is not above 0
  interval ci{1, 1};  // of the ratio, 95 % by bootstrap; too narrow below about ten runs a side
  changes::direction direction{direction::worse};
  double p = 1;
  double q = 1;                         // Benjamini-Hochberg over all tests of the pass
  std::int64_t environment_before = 0;  // rows of the documents of run_before and run
  std::int64_t environment_after = 0;
  std::vector<fact_difference> environment{};  // what differs between run_before and run
  std::string state{"untriaged"};
  std::string note{};
  std::string stated{};  // when the state was given; empty: never
};

// The newest runs where they left the level, but are too few for a change.
struct watched {
  std::string first_run{};
  std::size_t runs = 0;
  double level = 0;  // median of the runs before them
  double value = 0;  // median of theirs
  changes::direction direction{direction::worse};
};

// What is known of one series.
struct series_changes {
  model::workload workload{};
  model::measured_series series{};
  std::size_t points = 0;           // with a value
  bool enough = false;              // so many that a change can be told
  std::vector<segment> segments{};  // none where there is no point
  std::vector<change> changes{};
  std::optional<watched> watching{};
  std::vector<double> tested{};  // p of every test that was made
};

// Returns the points that have a value, in their order; indices of segments and changes count these.
[[nodiscard]] std::vector<model::measured_point> valued(std::vector<model::measured_point> points);

// Searches one series, whose points are valued() and oldest first. The q of each change is its p until
// correct_together is called; environments and notes are absent. `tests` is the number of series of the pass:
// the more there are, the more resamples are needed. The random numbers depend on what the series is, not on
// the store, so that the same points give the same answer everywhere.
[[nodiscard]] series_changes search(const model::workload& workload, const model::measured_series& series,
                                    std::span<const model::measured_point> points, const rules& rules,
                                    std::size_t tests);

// Sets q over all tests of all series of a pass and takes back the changes above the share of false ones.
// `points_of` returns the points with which a series was searched; it is asked where one is taken back.
void correct_together(
    std::span<series_changes> all,
    const std::function<std::vector<model::measured_point>(const series_changes&)>& points_of,
    const rules& rules);

// Returns the newest one or two runs where all of them lie beyond what the runs of their level show: more
// than the smallest effect and four robust standard deviations of the others, on the same side. Absent for
// fewer than five others.
[[nodiscard]] std::optional<watched> watch(std::span<const model::measured_point> level, model::better better,
                                           const rules& rules);

}  // namespace ridge::changes
