// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/model/names.hpp>

namespace ridge::model {

// A quantity that each call of a variant yields one value of, and that comparisons judge (decision 0021).
struct metric {
  std::string name{"time"};
  std::string unit{"s"};
  model::better better{model::better::lower};
  model::clock_kind clock{model::clock_kind::wall};
};

// A median with its order-statistic interval at 95 %.
struct estimate {
  model::metric metric{};
  double median = 0;
  ridge::interval ci{};
};

// A quantile of observed values; `needed` is above 0 where an interval at 95 % needs that many values and
// fewer were seen.
struct quantile_estimate {
  std::string name{};  // "ttft p99"
  std::string unit{"s"};
  double q = 0;
  double value = 0;
  ridge::interval ci{};
  std::uint64_t needed = 0;
};

// Bytes that one call uses, from an untimed pass in a forked child (decision 0023).
struct memory_use {
  double peak_bytes = 0;            // greatest resident size, less the resident size before the call
  double allocated_bytes = 0;       // allocated through `setup`
  double reserved_bytes = 0;        // arrays owned by the harness for one member
  std::optional<double> savings{};  // 1 - peak / baseline's peak
};

// A share of the call's time, as marked by the body; the parts of one variant sum to one, `other` included.
struct phase_share {
  std::string name{};
  double share = 0;
  ridge::interval ci{};
};

// The kernels of one name that one call runs on a GPU, from an untimed pass under a tracer; copies and memory
// sets have names of their own.
struct kernel_use {
  std::string name{};
  std::uint64_t count = 0;
  double time_s = 0;  // the sum of their times; may exceed the time of the call where they overlap
  double share = 0;   // of the sum over all names
};

// The raw samples of one metric: sample i was taken in round `block[i]`, and `value[i]` is the metric of one
// call.
struct series {
  model::metric metric{};
  std::vector<double> value{};           // in the metric's unit; time is stored in seconds
  std::vector<std::uint32_t> block{};    // the round of each sample
  std::vector<std::uint8_t> position{};  // place inside its round
  std::vector<std::uint8_t> marked{};    // 1 where interference was seen; such samples are kept
};

// How the object that lists a variant was compiled, as the object itself states it. Kernels in other sources,
// and those of a GPU, may have other flags.
struct compilation {
  std::string compiler{};   // "GCC 12.2.0"
  std::string level{};      // "-O0", "-O3"; empty: with optimization, and its flags do not say which
  std::string flags{};      // those that the build gives its compiler, without warnings; empty: not stated
  std::string sanitizer{};  // "address"; empty: none is known
  std::string source{};     // the last parts of the path of the source
};

// What was seen of one variant on one problem.
struct measurement {
  std::string variant{};
  model::role role{model::role::baseline};
  model::backend backend{model::backend::cpu};
  std::string idea{};
  bool pedagogy = false;
  int threads = 1;
  std::uint64_t iterations = 1;                            // calls per sample
  std::string skipped{};                                   // why it was not run; empty when it was
  std::string refused{};                                   // how it failed; empty when it did not
  model::failure_kind failure{model::failure_kind::none};  // the kind of failure
  std::string signal{};                                    // what ended its process: "SIGSEGV"; else empty
  std::string stage{};  // in which stage it failed: "verification", "set_up", "timing", "recheck", "audit"
  std::vector<estimate> metrics{};
  std::vector<quantile_estimate> quantiles{};
  std::vector<phase_share> phases{};
  memory_use memory{};
  std::optional<double> energy_j{};  // of one call
  double flop = 0, bytes_moved = 0;  // of one call, as declared by the problem and by `.traffic`
  double items = 0;
  std::optional<double> flop_per_s{}, bytes_per_s{};
  std::optional<double> of_ceiling{};           // share of the limiting ceiling
  std::string ceiling{};                        // its id and threads
  std::optional<double> ceiling_rate{};         // the value of that ceiling, in FLOP/s or B/s
  std::optional<ridge::interval> ceiling_ci{};  // of ceiling_rate, 95 %
  // Where the variant exceeded its ceiling, this was measured once more after its samples: what it stood at
  // before and what it stood at then. ceiling_rate is the higher of both.
  std::optional<double> ceiling_first{}, ceiling_again{};
  std::string ceiling_disturbed{};  // what disturbed it while it was read; empty: nothing
  bool ceiling_beside =
      false;  // measured between the samples of this variant; else as stored for the machine
  model::bound bound{model::bound::unknown};
  double max_abs_error = 0, max_rel_error = 0;  // against the oracle, over all verified outputs
  std::optional<double> rms_error{};            // root mean square of the error over that of what is expected
  std::optional<double> stage_s{};              // seconds of the untimed staging, shown beside the result
  double setup_s = 0;
  std::vector<std::pair<std::string, double>> counters{};  // per call
  std::vector<kernel_use> kernels{};                       // the longest first; empty where none was traced
  std::optional<compilation> compiled{};                   // empty where no object states it: programs
  std::vector<series> samples{};
};

// Returns how a refused variant failed, in words: "wrong output: ...", "crashed: ...", "did not end in time:
// ...". Empty where it did not fail.
[[nodiscard]] std::string failure_in_words(const measurement& m);

}  // namespace ridge::model
