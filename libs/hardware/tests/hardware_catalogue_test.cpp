// SPDX-License-Identifier: Apache-2.0
#include <ridge/hardware/hardware_catalogue.hpp>

#include <fstream>

#include <gtest/gtest.h>

namespace ridge::hardware {
namespace {

const catalogue& all() { return catalogue::embedded(); }

std::string found(const gpu_identity& reported) {
  const auto* g = all().find_gpu(reported);
  return g ? g->name : "none";
}

constexpr double gib = 1073741824.0;

TEST(catalogue, knows_the_gpu_by_what_its_driver_tells) {
  EXPECT_EQ(found({"NVIDIA H200", "9.0", 132, 150.1e9}), "H200 SXM");
  EXPECT_EQ(found({"NVIDIA H100 80GB HBM3", "9.0", 132, 85.0e9}), "H100 SXM");
  EXPECT_EQ(found({"NVIDIA H100 PCIe", "9.0", 114, 85.0e9}), "H100 PCIe");
  EXPECT_EQ(found({"NVIDIA H20", "9.0", 78, 96 * gib}), "H20");
  EXPECT_EQ(found({"NVIDIA A100-SXM4-40GB", "8.0", 108, 42.4e9}), "A100 SXM 40 GB");
  EXPECT_EQ(found({"NVIDIA B200", "10.0", 148, 179.1 * gib}), "B200 SXM");
  EXPECT_EQ(found({"Tesla T4", "7.5", 40, 15.8e9}), "T4");
}

TEST(catalogue, tells_boards_of_one_name_apart_by_cores_and_memory) {
  EXPECT_EQ(found({"NVIDIA H100", "9.0", 132, 85.0e9}), "H100 SXM");
  EXPECT_EQ(found({"NVIDIA H100", "9.0", 114, 85.0e9}), "H100 PCIe");
  EXPECT_EQ(found({"NVIDIA GH200 120GB", "9.0", 132, 96 * gib}), "GH200 96 GB");
  EXPECT_EQ(found({"NVIDIA H100", "", 0, 0}), "none") << "a vague name alone decides nothing";
}

TEST(catalogue, takes_no_other_board_for_one_it_knows) {
  EXPECT_EQ(found({"NVIDIA H200 NVL", "9.0", 132, 150.1e9}), "none");
  EXPECT_EQ(found({"NVIDIA H100 NVL", "9.0", 132, 100.0e9}), "none");
  EXPECT_EQ(found({"NVIDIA H20-3e", "9.0", 78, 150.1e9}), "none");
  EXPECT_EQ(found({"NVIDIA H200", "9.0", 16, 18 * gib}), "none") << "a seventh of an H200 is not one";
  EXPECT_EQ(found({"NVIDIA H200", "10.0", 132, 150.1e9}), "none");
  EXPECT_EQ(found({"", "", 0, 0}), "none");
}

TEST(catalogue, holds_what_vendors_state_of_the_h200) {
  const auto& h200 = *all().gpu_named("H200 SXM");
  EXPECT_DOUBLE_EQ(h200.bandwidth_bytes_per_s->value, 4.8e12);
  EXPECT_DOUBLE_EQ(h200.attribute_bandwidth_bytes_per_s->value, 4.917e12);
  EXPECT_NEAR(*h200.peak("fp32", unit::vector)->dense_flop_per_s, 66.9e12, 0.02e12);
  EXPECT_NEAR(*h200.peak("bf16", unit::matrix)->dense_flop_per_s, 989.4e12, 0.1e12);
  EXPECT_NEAR(*h200.peak("bf16", unit::matrix)->sparse_flop_per_s, 1978.9e12, 0.2e12);
  EXPECT_DOUBLE_EQ(*h200.peak("bf16", unit::matrix)->clock_hz, 1.83e9);
  EXPECT_DOUBLE_EQ(*h200.peak("fp8", unit::matrix)->flop_per_clock, 8192);
  EXPECT_DOUBLE_EQ(h200.link_of("nvlink")->bytes_per_s, 450e9);
  EXPECT_EQ(h200.peak("fp4", unit::matrix), nullptr);
}

TEST(catalogue, states_peaks_that_their_own_clock_and_width_give) {
  for (const auto& g : all().data().gpus) {
    for (const auto& p : g.peaks) {
      if (!g.multiprocessors || !p.dense_flop_per_s || !p.clock_hz || !p.flop_per_clock) continue;
      const double derived = g.multiprocessors->value * *p.clock_hz * *p.flop_per_clock;
      EXPECT_NEAR(*p.dense_flop_per_s / derived, 1, 0.01) << g.name << ' ' << p.dtype;
    }
  }
}

TEST(catalogue, knows_processors_by_name_and_by_number) {
  const auto named = [](const char* vendor, const char* model, processor_identity identity = {}) {
    const auto* p = all().find_processor(vendor, model, identity);
    return p ? p->name : "none";
  };
  EXPECT_EQ(named("AuthenticAMD", "AMD EPYC 9655 96-Core Processor"), "EPYC Turin");
  EXPECT_EQ(named("AuthenticAMD", "AMD EPYC 9654 96-Core Processor"), "EPYC Genoa");
  EXPECT_EQ(named("GenuineIntel", "Intel(R) Xeon(R) Platinum 8480+"), "Xeon Sapphire Rapids");
  EXPECT_EQ(named("GenuineIntel", "Intel(R) Xeon(R) Processor", {6, 143}), "Xeon Sapphire Rapids");
  EXPECT_EQ(named("GenuineIntel", "Intel(R) Xeon(R) 6980P"), "Xeon Granite Rapids-AP");
  EXPECT_EQ(named("GenuineIntel", "Intel(R) Xeon(R) Processor", {6, 167}), "none");
  EXPECT_EQ(named("AuthenticAMD", "Intel(R) Xeon(R) Platinum 8480+"), "none");
}

TEST(catalogue, names_a_source_for_every_price) {
  const auto prices = all().prices_of("B200 SXM");
  ASSERT_EQ(prices.size(), 2u);
  EXPECT_DOUBLE_EQ(prices[0].per_hour, 5);
  EXPECT_EQ(prices[0].currency, "USD");
  for (const auto& p : all().data().prices) {
    EXPECT_NE(all().find_source(p.source), nullptr) << p.hardware;
    EXPECT_NE(all().gpu_named(p.hardware), nullptr) << p.hardware;
    EXPECT_EQ(p.date.size(), 10u) << p.hardware;
  }
}

// Where no public price was found there is none.
TEST(catalogue, knows_which_gpus_have_no_price) {
  std::vector<std::string> without;
  for (const auto& g : all().data().gpus) {
    if (all().prices_of(g.name).empty()) without.push_back(g.name);
  }
  EXPECT_EQ(without, (std::vector<std::string>{"H800 SXM", "GH200 144 GB", "H20", "GB300", "MI355X",
                                               "TPU v5p", "TPU v6e"}));
}

// A small catalogue with `gpus` as written.
std::string with_gpus(const std::string& gpus) {
  return R"({"schema": "ridge.hardware/1", "sources": {"s": {"what": "w", "where": "x", "date": "2026-01-01"}},
 "gpus": [)" +
         gpus + "]}";
}

std::string complaint(const std::string& text) {
  const auto read = catalogue::parse(text, "mine.json");
  return read ? "none" : read.why().text();
}

TEST(catalogue, reads_one_of_ones_own) {
  const auto read = catalogue::parse(
      with_gpus(R"({"name": "A", "vendor": "v", "bandwidth_bytes_per_s": {"value": 2e12, "source": "s"}})"),
      "mine.json");
  ASSERT_TRUE(read) << read.why().text();
  EXPECT_DOUBLE_EQ(read->gpu_named("A")->bandwidth_bytes_per_s->value, 2e12);
}

TEST(catalogue, says_what_is_wrong_where_and_what_to_do) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(complaint(text).find(part), std::string::npos) << complaint(text);
  };
  expect("{\n \"schema\": ,", "mine.json, line 2, column 12: this is not JSON");
  expect("[]", "mine.json: an object is expected here, not array; libs/hardware/data/hardware.json");
  expect(R"({"schema": "ridge.run/1"})", "mine.json: /schema: \"ridge.hardware/1\" is expected");
  expect(with_gpus(R"({"vendor": "v"})"), "mine.json: /gpus/0: \"name\" is missing");
  expect(with_gpus(R"({"name": "A", "vendor": "v", "power_w": {"value": -7, "source": "s"}})"),
         "mine.json: /gpus/0/power_w/value: a number above 0 is expected here, not -7");
  expect(with_gpus(R"({"name": "A", "vendor": "v", "power_w": {"value": 7, "source": "t"}})"),
         "/gpus/0/power_w/source: \"t\" is not among /sources");
  expect(with_gpus(R"({"name": "A", "vendor": "v", "vender": "v"})"),
         "/gpus/0/vender: no such field; did you mean \"vendor\"?");
  expect(with_gpus(R"({"name": "A", "vendor": "v"}, {"name": "A", "vendor": "v"})"),
         "/gpus/1/name: \"A\" is there twice");
  expect(
      with_gpus(
          R"({"name": "A", "vendor": "v", "peaks": [{"dtype": "fp33", "unit": "vector", "source": "s"}]})"),
      "/gpus/0/peaks/0/dtype: \"fp33\" is none of fp64, fp32");
  expect(
      with_gpus(
          R"({"name": "A", "vendor": "v", "peaks": [{"dtype": "fp8", "unit": "matrix", "dense_flop_per_s": 2e15,
                       "sparse_flop_per_s": 1e15, "source": "s"}]})"),
      "/gpus/0/peaks/0: the sparse peak is below the dense one");
}

TEST(catalogue, names_the_file_that_cannot_be_read) {
  const auto read = catalogue::load("/nowhere/hardware.json");
  ASSERT_FALSE(read);
  EXPECT_NE(read.why().text().find("cannot read /nowhere/hardware.json"), std::string::npos);
  EXPECT_FALSE(catalogue::load("/"));
}

TEST(catalogue, loads_a_file_in_place_of_its_own) {
  const auto path = testing::TempDir() + "hardware_test.json";
  std::ofstream(path) << with_gpus(R"({"name": "Mine", "vendor": "v", "reported": ["My GPU"]})");
  const auto read = catalogue::load(path);
  ASSERT_TRUE(read) << read.why().text();
  EXPECT_EQ(read->find_gpu({.name = "My GPU"})->name, "Mine");
}

}  // namespace
}  // namespace ridge::hardware
