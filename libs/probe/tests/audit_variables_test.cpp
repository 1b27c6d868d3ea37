// SPDX-License-Identifier: Apache-2.0
#include "audited.hpp"

namespace ridge::probe {
namespace {

class audit_variables : public audited {
 protected:
  void set(const std::string& name, const std::string& value) { given.variables = {{name, value}}; }
};

TEST_F(audit_variables, nothing_set_is_fine) {
  for (const auto* id :
       {"variables.cuda_debugging", "variables.cuda_code", "variables.cuda_devices", "variables.arithmetic",
        "variables.mps", "variables.nccl", "variables.threads", "variables.allocator", "variables.preload"})
    expect_fine(id);
}

TEST_F(audit_variables, what_debugs_cuda_makes_results_wrong) {
  set("CUDA_LAUNCH_BLOCKING", "1");
  expect_problem("variables.cuda_debugging", error, "CUDA_LAUNCH_BLOCKING=1", "unset CUDA_LAUNCH_BLOCKING");
  set("CUDA_LAUNCH_BLOCKING", "0");
  expect_fine("variables.cuda_debugging");
  set("CUDA_INJECTION64_PATH", "/opt/tool.so");
  expect_problem("variables.cuda_debugging", error, "/opt/tool.so", "unset CUDA_INJECTION64_PATH");
}

TEST_F(audit_variables, how_code_is_loaded_is_told_apart) {
  set("CUDA_FORCE_PTX_JIT", "1");
  expect_problem("variables.cuda_code", warning, "CUDA_FORCE_PTX_JIT=1", "unset");
  set("CUDA_MODULE_LOADING", "EAGER");
  expect_said("variables.cuda_code", info, "EAGER");
  set("CUDA_MODULE_LOADING", "LAZY");
  expect_fine("variables.cuda_code");
}

TEST_F(audit_variables, a_choice_of_gpus_without_an_order_gets_advice) {
  set("CUDA_VISIBLE_DEVICES", "1");
  expect_problem("variables.cuda_devices", info, "CUDA_VISIBLE_DEVICES=1", "PCI_BUS_ID");
  given.variables.emplace("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
  EXPECT_EQ(look("variables.cuda_devices").fix_bare_metal, "");
}

TEST_F(audit_variables, forced_precision_is_worse_than_a_workspace) {
  set("NVIDIA_TF32_OVERRIDE", "1");
  expect_problem("variables.arithmetic", warning, "NVIDIA_TF32_OVERRIDE=1", "unset NVIDIA_TF32_OVERRIDE");
  set("CUBLAS_WORKSPACE_CONFIG", ":4096:8");
  expect_said("variables.arithmetic", info, ":4096:8");
}

TEST_F(audit_variables, mps_is_found_by_variables_and_by_its_pipe) {
  set("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50");
  expect_problem("variables.mps", warning, "=50", "nvidia-cuda-mps-control");
  given.variables.clear();
  write("tmp/nvidia-mps/control", "");
  expect_problem("variables.mps", warning, "control pipe in /tmp/nvidia-mps", "quit");
}

TEST_F(audit_variables, a_path_of_nccl_that_is_switched_off_is_warned_of) {
  set("NCCL_ALGO", "Ring");
  expect_said("variables.nccl", info, "NCCL_ALGO=Ring");
  set("NCCL_P2P_DISABLE", "1");
  expect_problem("variables.nccl", warning, "NCCL_P2P_DISABLE=1", "unset NCCL_P2P_DISABLE");
}

TEST_F(audit_variables, more_threads_than_cpus_are_warned_of) {
  set("OMP_NUM_THREADS", "2");
  expect_said("variables.threads", info, "OMP_NUM_THREADS=2");
  set("OMP_NUM_THREADS", "16");
  expect_problem("variables.threads", warning, "OMP_NUM_THREADS=16 on 2 CPUs", "OMP_NUM_THREADS=2");
}

TEST_F(audit_variables, a_checking_allocator_and_preloaded_libraries_are_warned_of) {
  set("MALLOC_CHECK_", "3");
  expect_problem("variables.allocator", warning, "MALLOC_CHECK_=3", "unset MALLOC_CHECK_");
  set("GLIBC_TUNABLES", "glibc.malloc.arena_max=1");
  expect_said("variables.allocator", info, "arena_max");
  set("LD_PRELOAD", "libjemalloc.so");
  expect_problem("variables.preload", warning, "libjemalloc.so", "unset LD_PRELOAD");
  given.variables.clear();
  write("etc/ld.so.preload", "/lib/tool.so");
  expect_problem("variables.preload", warning, "/lib/tool.so", "/etc/ld.so.preload");
}

TEST_F(audit_variables, a_build_that_is_no_release_makes_results_wrong) {
  expect_fine("build.optimization");
  expect_fine("build.sanitizer");
  EXPECT_FALSE(is_asked("build.gpu_code"));
  given.build = {.optimized = false, .sanitizer = "address+undefined"};
  expect_problem("build.optimization", error, "not optimized", "Release");
  expect_problem("build.sanitizer", error, "address+undefined", "RIDGE_SANITIZE=");
  given.build = {.optimized = false, .optimization = "-O1"};
  expect_problem("build.optimization", warning, "not fully optimized (-O1)", "make run");
}

TEST_F(audit_variables, gpu_code_runs_on_its_major_capability) {
  given.build.gpu_code = {80, 90};
  given.gpus.emplace().gpus = {{.name = "H200", .capability = 90}};
  expect_fine("build.gpu_code");
  given.gpus->gpus.front().capability = 89;
  expect_fine("build.gpu_code");
  given.gpus->gpus.front() = {.name = "B200", .capability = 100};
  expect_problem("build.gpu_code", error, "none for B200 (sm_100); built for sm_80, sm_90",
                 "ARCHITECTURES=100");
}

}  // namespace
}  // namespace ridge::probe
