// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <ridge/store/store_benchmark.hpp>

#include "rows.hpp"

namespace ridge::selftest {
namespace {

// A store file of its own, which is removed at the end of the scope.
class scratch_store {
 public:
  scratch_store(const surroundings& surroundings, const char* name)
      : folder_(std::filesystem::path(surroundings.scratch_folder) /
                fmt::format("ridge-selftest-{}-{}", name, ::getpid())) {
    std::filesystem::create_directories(folder_);
    store = surroundings.open_store((folder_ / "ridge.db").string());
  }
  ~scratch_store() {
    store.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  scratch_store(const scratch_store&) = delete;
  scratch_store& operator=(const scratch_store&) = delete;
  std::unique_ptr<ridge::store::store> store;

 private:
  std::filesystem::path folder_;
};

}  // namespace

std::vector<row> store_figures(const surroundings& surroundings) {
  constexpr std::size_t samples = 1'000'000, runs = 10'000;
  row write{.name = "store_write", .unit = "s", .limit = 0.2, .detail = "1 M samples, 1,000 per transaction"};
  row history{.name = "store_history",
              .unit = "ms",
              .limit = 100,
              .detail = "the newest 100 comparisons of one experiment among 10,000 runs"};
  if (!surroundings.open_store) {
    write.skipped = history.skipped = "no store is linked into this program";
    return {write, history};
  }
  {
    scratch_store fresh(surroundings, "write");
    write.value = store::measure_write(*fresh.store, samples);
  }
  scratch_store fresh(surroundings, "history");
  const auto times = store::measure_history(*fresh.store, runs);
  history.value = 1000 * times.newest_s;
  history.detail += fmt::format("; all of them {:.0f} ms", 1000 * times.all_s);
  return {write, history};
}

}  // namespace ridge::selftest
