// SPDX-License-Identifier: Apache-2.0
#include "../rapl_meter.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/measure/conformance.hpp>

namespace ridge::backends::measure_rapl {

std::unique_ptr<measure::energy_meter> make();

namespace {

namespace fs = std::filesystem;

class rapl : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "ridge_rapl.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }
  void set(const std::string& domain, const std::string& file, const std::string& text) const {
    const auto folder = root_ / "sys/class/powercap" / domain;
    fs::create_directories(folder);
    std::ofstream(folder / file) << text << '\n';
  }
  void add(const std::string& domain, const std::string& name, long energy_uj) const {
    set(domain, "name", name);
    set(domain, "max_energy_range_uj", "1000000000");
    set(domain, "energy_uj", std::to_string(energy_uj));
  }
  [[nodiscard]] const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

TEST_F(rapl, packages_and_memory_add_up_and_their_parts_do_not) {
  add("intel-rapl:0", "package-0", 5'000'000);
  add("intel-rapl:0:0", "core", 1'000'000);
  add("intel-rapl:0:1", "dram", 2'000'000);
  add("intel-rapl:1", "psys", 9'000'000);
  add("intel-rapl-mmio:0", "package-0", 5'000'000);
  rapl_meter meter(root());
  EXPECT_EQ(meter.unavailable_because(), "");
  EXPECT_EQ(meter.name(), "package-0, dram");
  EXPECT_EQ(meter.joules(), 0.0);
  for (const auto* domain : {"intel-rapl:0", "intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1"}) {
    set(domain, "energy_uj", "10000000");
  }
  EXPECT_DOUBLE_EQ(meter.joules(), 5.0 + 8.0);
}

TEST_F(rapl, a_counter_that_wraps_around_goes_on) {
  add("intel-rapl:0", "package-0", 999'000'000);
  rapl_meter meter(root());
  set("intel-rapl:0", "energy_uj", "2000000");
  EXPECT_DOUBLE_EQ(meter.joules(), 3.0);
  set("intel-rapl:0", "energy_uj", "2500000");
  EXPECT_DOUBLE_EQ(meter.joules(), 3.5);
}

TEST_F(rapl, absent_and_unreadable_are_told_apart) {
  EXPECT_NE(rapl_meter(root()).unavailable_because().find("no RAPL"), std::string::npos);
  set("intel-rapl:0", "name", "package-0");
  set("intel-rapl:0", "max_energy_range_uj", "1000000000");
  set("intel-rapl:0", "energy_uj", "forbidden");
  rapl_meter meter(root());
  EXPECT_NE(meter.unavailable_because().find("chmod"), std::string::npos);
  EXPECT_EQ(meter.joules(), 0.0);
}

TEST_F(rapl, a_meter_that_goes_away_is_a_failure) {
  add("intel-rapl:0", "package-0", 1);
  rapl_meter meter(root());
  fs::remove_all(root() / "sys");
  EXPECT_THROW(meter.joules(), io_failure);
}

TEST(rapl_here, conforms) { measure::conformance::expect_energy_meter(*make()); }

}  // namespace
}  // namespace ridge::backends::measure_rapl
