// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app_plan/commands.hpp>
#include <ridge/base/temporary_folder.hpp>
#include <ridge/plan/kernels/kernel_measurements.hpp>
#include <ridge/probe/kernel_timer.hpp>

namespace ridge::app_plan {
namespace {

using testing::HasSubstr;
namespace kernels = plan::kernels;

// Answers by the shipped curves of its GPU, twice as slow, until it has been asked `most` times.
class simulated_timer final : public probe::kernel_timer {
 public:
  simulated_timer(std::string name, int most, int gpus) : most_(most) {
    machine_.name = std::move(name), machine_.driver = "1", machine_.runtime = "2", machine_.gpus = gpus;
    gpu_ = *plan::accelerator_named(hardware::catalogue::embedded(), machine_.name);
    times_ = kernels::analytic_times(gpu_);
  }
  const probe::timed_machine& machine() const override { return machine_; }
  result<probe::kernel_timing> time(const model::kernel_call& call) override {
    ++asked;
    if (call.kernel == "experts") return error{"no experts here", "simulate them"};
    if (asked > most_) return error{"asked too often", ""};
    if (call.kernel == "launch") return probe::kernel_timing{1e-6, 0, 1, "a simulation"};
    const auto predicted = kernels::prediction_of({.call = call, .seconds = 1});
    return probe::kernel_timing{2 * predicted->predict(*times_), 0, 1, "a simulation"};
  }
  int asked = 0;

 private:
  int most_;
  probe::timed_machine machine_{};
  plan::accelerator gpu_{};
  std::shared_ptr<const kernels::kernel_times> times_{};
};

class plan_measure : public testing::Test {
 protected:
  plan_measure() { setenv("XDG_CACHE_HOME", folder.path().c_str(), 1); }

  // Runs `ridge plan VERB` with texts for its options; returns the exit code.
  int run(const std::string& verb, const std::vector<std::pair<std::string, std::string>>& options) {
    auto all = commands(program);
    for (auto& one : all.front().commands()) {
      if (one.name() != verb) continue;
      for (const auto& [name, text] : options) give(one, name, text);
      testing::internal::CaptureStdout();
      testing::internal::CaptureStderr();
      const int code = one.action()();
      out = testing::internal::GetCapturedStdout(), err = testing::internal::GetCapturedStderr();
      return code;
    }
    return -1;
  }
  static void give(const app::command& verb, const std::string& name, const std::string& text) {
    for (const auto& o : verb.options()) {
      if (o.names != name) continue;
      if (auto* const* flag = std::get_if<bool*>(&o.value)) **flag = true;
      if (auto* const* value = std::get_if<std::string*>(&o.value)) **value = text;
      if (auto* const* list = std::get_if<std::vector<std::string>*>(&o.value)) (*list)->push_back(text);
      if (auto* const* number = std::get_if<std::int64_t*>(&o.value)) **number = std::stoll(text);
      if (auto* const* count = std::get_if<int*>(&o.value)) **count = std::stoi(text);
      if (auto* const* rate = std::get_if<std::optional<double>*>(&o.value)) **rate = std::stod(text);
      return;
    }
    FAIL() << "no option " << name;
  }
  simulated_timer& simulate(const std::string& gpu, int most, int gpus = 1) {
    timer = std::make_shared<simulated_timer>(gpu, most, gpus);
    program.kernel_timers.gpu = [this](int) { return timer; };
    return *timer;
  }

  scratch_folder folder{"plan_measure"};
  std::string file = (folder.path() / "kernels.json").string();
  app::context program{};
  std::shared_ptr<simulated_timer> timer{};
  std::string out{}, err{};
};

TEST_F(plan_measure, says_what_to_do_without_cuda) {
  EXPECT_EQ(run("measure", {}), app::exit_code::unavailable);
  EXPECT_THAT(err, HasSubstr("no CUDA"));
  EXPECT_THAT(err, HasSubstr("--cpu"));
}

TEST_F(plan_measure, goes_on_from_what_is_there_and_says_when_nothing_is_left) {
  simulate("A100 SXM 80 GB", 20);
  ASSERT_EQ(run("measure", {{"--output", file}, {"--only", "elementwise"}}), app::exit_code::good) << err;
  EXPECT_EQ(kernels::load_measurements(file)->rows.size(), 20U);
  auto& rest = simulate("A100 SXM 80 GB", 1000);
  ASSERT_EQ(run("measure", {{"--output", file}, {"--only", "elementwise"}}), app::exit_code::good) << err;
  const auto whole = kernels::load_measurements(file);
  EXPECT_EQ(whole->rows.size(), static_cast<std::size_t>(rest.asked) + 20);
  auto& none = simulate("A100 SXM 80 GB", 1000);
  ASSERT_EQ(run("measure", {{"--output", file}, {"--only", "elementwise"}}), app::exit_code::good) << err;
  EXPECT_EQ(none.asked, 0);
  EXPECT_THAT(out, HasSubstr("--again"));
}

TEST_F(plan_measure, refuses_a_file_of_another_gpu_by_its_name) {
  simulate("A100 SXM 80 GB", 1000);
  ASSERT_EQ(run("measure", {{"--output", file}, {"--only", "elementwise"}}), app::exit_code::good) << err;
  simulate("L4", 1000);
  EXPECT_EQ(run("measure", {{"--output", file}, {"--only", "elementwise"}}), app::exit_code::usage);
  EXPECT_THAT(err, HasSubstr("A100"));
  EXPECT_THAT(err, HasSubstr("L4"));
}

// The answer of `serve` for an A100, as JSON.
using options = std::vector<std::pair<std::string, std::string>>;
const options served{{"--model", "meta-llama/Llama-3.1-8B"},
                     {"--gpu", "A100 SXM 80 GB"},
                     {"--rate", "1"},
                     {"--requests", "20"},
                     {"--json", ""}};

double median_tpot(const std::string& answer) {
  const auto at = answer.find("\"p50\"", answer.find("\"tpot_ms\""));
  return at == std::string::npos ? 0 : std::stod(answer.substr(answer.find(':', at) + 1));
}

TEST_F(plan_measure, is_what_serve_answers_from_and_names) {
  ASSERT_EQ(run("serve", served), app::exit_code::good) << err;
  EXPECT_THAT(out, testing::Not(HasSubstr("measured here")));
  const double shipped = median_tpot(out);
  simulate("A100 SXM 80 GB", 400);
  ASSERT_EQ(run("measure", {{"--only", "product"}, {"--only", "elementwise"}}), app::exit_code::good) << err;
  ASSERT_EQ(run("serve", served), app::exit_code::good) << err;
  EXPECT_THAT(out, HasSubstr("products measured here on 20"));
  EXPECT_THAT(out, HasSubstr("decode attention, experts, all-reduce borrowed from"));
  EXPECT_GT(median_tpot(out),
            1.5 * shipped);  // products take most of a step, and the device is twice as slow
  auto with = served;
  with.emplace_back("--kernels", "shipped");
  ASSERT_EQ(run("serve", with), app::exit_code::good) << err;
  EXPECT_EQ(median_tpot(out), shipped);
}

TEST_F(plan_measure, of_two_gpus_gives_serve_the_all_reduce_of_two_and_of_no_more) {
  const auto tpot = [&](const std::string& tp) {
    auto with = served;
    with[1].second = "H100 SXM", with.emplace_back("--tp", tp);
    EXPECT_EQ(run("serve", with), app::exit_code::good) << err;
    return median_tpot(out);
  };
  const double two = tpot("2"), four = tpot("4");
  simulate("H100 SXM", 400, 2);
  ASSERT_EQ(run("measure", {{"--only", "all_reduce"}}), app::exit_code::good) << err;
  EXPECT_GT(tpot("2"), two);
  EXPECT_THAT(out, HasSubstr("all-reduce of 2 GPUs measured here on 20"));
  EXPECT_THAT(out, HasSubstr("all-reduce of 4 GPUs"));
  EXPECT_EQ(tpot("4"), four);
}

// A CPU with 100 GFLOP/s, 20 GB/s and a tenth of a millisecond for each kernel.
class simulated_cpu final : public probe::kernel_timer {
 public:
  simulated_cpu() {
    machine_.name = "Made-up CPU @ 3 GHz", machine_.is_gpu = false, machine_.memory_bytes = 6e10;
  }
  const probe::timed_machine& machine() const override { return machine_; }
  result<probe::kernel_timing> time(const model::kernel_call& call) override {
    const auto size = [&](const char* name) { return static_cast<double>(call.size(name)); };
    double bytes = size("bytes"), flop = 0;
    if (call.kernel == "product") {
      flop = 2 * size("m") * size("n") * size("k");
      bytes = 4 * (size("m") * size("k") + size("n") * size("k") + size("m") * size("n"));
    }
    if (call.kernel == "decode_attention")
      bytes = 8 * size("sequences") * size("context") * size("kv_heads") * size("head_dim");
    return probe::kernel_timing{1e-4 + std::max(bytes / 20e9, flop / 100e9), 0, 1, "a simulation"};
  }

 private:
  probe::timed_machine machine_{};
};

TEST_F(plan_measure, of_a_cpu_finds_its_limits_and_leaves_what_serve_takes_as_a_gpu) {
  program.kernel_timers.cpu = [] { return std::make_shared<simulated_cpu>(); };
  ASSERT_EQ(run("measure", {{"--cpu", ""}, {"--output", file}}), app::exit_code::good) << err;
  EXPECT_THAT(out, HasSubstr("GFLOP/s of fp32 products"));
  const auto m = kernels::load_measurements(file);
  ASSERT_TRUE(m.ok()) << m.why().text();
  ASSERT_EQ(m->curves.size(), 3U);
  for (const auto& curve : m->curves) EXPECT_LT(curve.median_error, 0.1) << curve.kernel;
  const auto hardware = (folder.path() / "kernels-hardware.json").string();
  const std::vector<std::pair<std::string, std::string>> on_cpu{{"--model", "meta-llama/Llama-3.2-1B"},
                                                                {"--hardware", hardware},
                                                                {"--gpu", "Made-up CPU @ 3 GHz"},
                                                                {"--kernels", file},
                                                                {"--rate", "0.01"},
                                                                {"--requests", "3"},
                                                                {"--json", ""}};
  ASSERT_EQ(run("serve", on_cpu), app::exit_code::good) << err;
  EXPECT_THAT(out, HasSubstr("products, decode attention measured here")) << out;
  // 1.24 billion parameters of two bytes at 20 GB/s take 124 ms a token.
  EXPECT_GT(median_tpot(out), 100);
  EXPECT_LT(median_tpot(out), 300);
}

TEST_F(plan_measure, of_another_gpu_is_refused_by_serve_too) {
  simulate("L4", 200);
  ASSERT_EQ(run("measure", {{"--output", file}, {"--only", "elementwise"}}), app::exit_code::good) << err;
  auto with = served;
  with.emplace_back("--kernels", file);
  EXPECT_EQ(run("serve", with), app::exit_code::usage);
  EXPECT_THAT(err, HasSubstr("holds the kernels of L4, not of A100"));
}

TEST_F(plan_measure, tells_which_kernels_keep_the_shipped_coefficients) {
  auto& timer = simulate("A100 SXM 80 GB", 1000);
  ASSERT_EQ(run("measure", {{"--output", file}, {"--only", "experts"}}), app::exit_code::unavailable);
  EXPECT_THAT(out, HasSubstr("no experts here"));
  EXPECT_EQ(timer.asked, 3);
}

}  // namespace
}  // namespace ridge::app_plan
