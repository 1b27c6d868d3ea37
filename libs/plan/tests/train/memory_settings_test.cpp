// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/memory_settings.hpp>

#include <gmock/gmock.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/train/parallelism.hpp>
#include <ridge/plan/train/training_memory.hpp>

namespace ridge::plan::train {
namespace {

using testing::HasSubstr;

// A layout as published; data-parallel ranks are the rest of the GPUs.
struct layout_case {
  std::string_view model{}, gpu{};
  std::int64_t gpus = 0, batch = 0;
  int tensor = 1, pipeline = 1, virtual_pipeline = 1, context = 1, expert = 1;
  std::string compute_type{"fp8"};
  state_formats formats{};
};

training_plan layout_plan(const layout_case& c) {
  training_plan p;
  const auto data = c.gpus / (c.tensor * c.pipeline * c.context);
  p.layout = {.tensor = c.tensor,
              .pipeline = c.pipeline,
              .virtual_pipeline = c.virtual_pipeline,
              .context = c.context,
              .data = static_cast<int>(data),
              .expert = c.expert};
  return p;
}

// As `ridge plan memory train` answers.
rank_memory memory_train(const layout_case& c) {
  const auto plan = layout_plan(c);
  training_job job{.model = *model_named(c.model), .global_batch = c.batch, .compute_type = c.compute_type};
  if (job.global_batch == 0) job.global_batch = usual_global_batch(plan);
  job.sequence = usual_sequence(job.model);
  return memory_model(job, settings_for(c.compute_type, c.formats)).worst(plan);
}

// As `ridge plan parallelism --fixed` answers.
evaluated_plan fixed_parallelism(const layout_case& c) {
  parallelism_question q;
  q.model = *model_named(c.model);
  q.gpu = *accelerator_named(hardware::catalogue::embedded(), c.gpu);
  q.links = usual_interconnect(q.gpu);
  q.coefficients = training_coefficients_of(q.gpu);
  q.gpus = {c.gpus};
  q.global_batch = c.batch;
  q.compute_types = {c.compute_type};
  q.formats = c.formats;
  q.threads = 1;
  const auto& l = layout_plan(c).layout;
  q.space.tensor = {l.tensor};
  q.space.pipeline = {l.pipeline};
  q.space.virtual_pipeline = {l.virtual_pipeline};
  q.space.context = {l.context};
  q.space.data = {l.data};
  q.space.expert = {l.expert};
  q.space.expert_tensor = {l.expert_tensor};
  q.space.micro_batch = {1};
  q.space.shard = {sharding::optimizer};
  q.space.recompute = {recomputation::none};
  q.space.scale_up_size = q.gpu.scale_up_size;
  const auto found = plan_parallelism(q);
  EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.why().message);
  EXPECT_EQ(found->search.evaluated, 1) << c.model << ' ' << c.gpus;
  return found->plans.empty() ? found->nearest.value_or(evaluated_plan{}) : found->plans.front();
}

std::vector<layout_case> layout_grid() {
  std::vector<layout_case> all;
  const state_formats given{.gradient_bytes = 2, .master_bytes = 2, .fp8_activations = true};
  for (const std::string type : {"bf16", "fp8"}) {
    for (const auto& formats : {state_formats{}, given}) {
      for (const int pipeline : {1, 2, 4})
        for (const int tensor : {1, 4, 8})
          for (const auto* model : {"Llama-3.1-8B", "Llama-3.1-70B", "Qwen3-32B"})
            all.push_back({.model = model,
                           .gpu = "H100",
                           .gpus = 64,
                           .tensor = tensor,
                           .pipeline = pipeline,
                           .virtual_pipeline = pipeline > 1 ? 2 : 1,
                           .context = tensor == 8 ? 2 : 1,
                           .compute_type = type,
                           .formats = formats});
      for (const int expert : {1, 8})
        all.push_back({.model = "Qwen3-235B-A22B",
                       .gpu = "H200",
                       .gpus = 128,
                       .tensor = 2,
                       .expert = expert,
                       .compute_type = type,
                       .formats = formats});
      all.push_back({.model = "DeepSeek-V3",
                     .gpu = "H200",
                     .gpus = 256,
                     .tensor = 2,
                     .expert = 64,
                     .compute_type = type,
                     .formats = formats});
    }
  }
  return all;
}

TEST(settings_for, gives_both_verbs_the_same_memory_to_the_byte) {
  for (const auto& c : layout_grid()) {
    const auto searched = fixed_parallelism(c);
    EXPECT_EQ(searched.scored.memory_bytes, memory_train(c).total_bytes())
        << c.model << ' ' << layout_plan(c).text() << ' ' << c.compute_type;
    EXPECT_TRUE(searched.memory == memory_train(c)) << c.model;
  }
}

// Layouts of Llama 3.1 405B that were run, 8192 tokens a sequence, micro-batch 1, nothing recomputed: MLPerf
// Training 5.0 (fp8) and NVIDIA's DGX Cloud benchmarking recipes (fp8, and bf16 with fp32 gradients and an
// optimizer that keeps only the 16 bits of the master copy that the weights do not have).
std::vector<layout_case> published_layouts() {
  const state_formats remainders{.gradient_bytes = 4, .master_bytes = 2};
  const auto at = [](std::string_view gpu, std::int64_t gpus, std::int64_t batch, int tensor,
                     const char* type = "fp8", state_formats formats = {}) {
    return layout_case{"Llama-3.1-405B", gpu, gpus, batch, tensor, 8, 8, 2, 1, type, formats};
  };
  return {at("H100", 512, 1152, 8),
          at("H100", 2048, 1152, 8),
          at("H200", 512, 1152, 4),
          at("H200", 1024, 1152, 4),
          at("GB200", 512, 896, 4),
          at("GB200", 1024, 768, 4),
          at("H100", 512, 256, 8),
          at("GB200", 128, 64, 4),
          at("B200", 128, 64, 4),
          at("H100", 512, 256, 8, "bf16", remainders),
          at("GB200", 128, 64, 4, "bf16", remainders),
          at("B200", 128, 64, 4, "bf16", remainders)};
}

TEST(settings_for, lets_published_layouts_fit) {
  for (const auto& c : published_layouts()) {
    const double bytes = memory_train(c).total_bytes();
    const auto gpu = *accelerator_named(hardware::catalogue::embedded(), c.gpu);
    EXPECT_LE(bytes, gpu.memory_bytes)
        << c.gpu << ' ' << c.gpus << ' ' << c.compute_type << ' ' << bytes / (1 << 30) << " GiB";
    EXPECT_EQ(fixed_parallelism(c).scored.memory_bytes, bytes) << c.gpu << ' ' << c.gpus;
    EXPECT_TRUE(fixed_parallelism(c).fits) << c.gpu << ' ' << c.gpus;
  }
}

TEST(settings_for, follows_the_type_of_products_and_what_is_given) {
  EXPECT_EQ(settings_for("bf16").gradient_bytes, 4);
  EXPECT_FALSE(settings_for("bf16").fp8_activations);
  EXPECT_EQ(settings_for("fp8").gradient_bytes, 2);
  EXPECT_EQ(settings_for("fp8").weight_bytes, 2);
  EXPECT_TRUE(settings_for("fp8").fp8_activations);
  EXPECT_EQ(settings_for("fp8", {.gradient_bytes = 4}).gradient_bytes, 4);
  EXPECT_EQ(settings_for("fp32").weight_bytes, 4);
  EXPECT_EQ(settings_for("fp32").master_bytes, 0);
  EXPECT_EQ(settings_for("bf16", {}, {.shard_group = 8}).shard_group, 8);
  EXPECT_THAT(text_of(settings_for("fp8")), HasSubstr("gradients 2, adam 12"));
}

TEST(plan_parallelism, says_the_nearest_plan_in_the_precision_that_needs_least) {
  parallelism_question q;
  q.model = *model_named("Llama-3.1-405B");
  q.gpu = *accelerator_named(hardware::catalogue::embedded(), "H100");
  q.links = usual_interconnect(q.gpu);
  q.gpus = {8};
  q.compute_types = {"bf16", "fp8"};
  const auto found = plan_parallelism(q);
  ASSERT_TRUE(found.ok() && found->nearest.has_value());
  EXPECT_EQ(found->nearest->compute_type, "fp8");
  EXPECT_EQ(found->nearest->scored.memory_bytes, found->nearest->memory.total_bytes());
}

TEST(usual_global_batch, of_a_plan_divides) {
  training_plan p;
  p.layout = {.pipeline = 8, .virtual_pipeline = 2, .data = 3};
  EXPECT_EQ(usual_global_batch(p), 144);
  p.layout = {.data = 2000};
  EXPECT_EQ(usual_global_batch(p), 2000);
}

}  // namespace
}  // namespace ridge::plan::train
