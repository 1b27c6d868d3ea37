// SPDX-License-Identifier: Apache-2.0
#include "audited.hpp"

#include <tuple>

namespace ridge::probe {
namespace {

// A GPU of which nothing is wrong.
gpu_condition healthy() {
  gpu_condition g{.name = "NVIDIA H200", .bus_id = "0000:1b:00.0", .capability = 90};
  g.performance_state = 0;
  g.sm_mhz = g.most_sm_mhz = 1980;
  g.application_sm_mhz = g.default_application_sm_mhz = 1980;
  g.memory_mhz = g.most_memory_mhz = 3201;
  g.clocks_under_load = true;
  g.holds = clock_holds{};
  g.power_violation_s = g.thermal_violation_s = 0;
  g.power_limit_w = g.default_power_limit_w = g.most_power_limit_w = 700;
  g.temperature_c = 40;
  g.slowdown_temperature_c = 87;
  g.memory_temperature_c = 45;
  g.persistence = g.ecc = g.ecc_after_reboot = true;
  g.display = g.mig = g.retirement_pending = false;
  g.compute_mode = compute_mode::shared;
  g.virtualization = gpu_virtualization::passthrough;
  g.other_processes = 0;
  g.busy_percent = 0;
  g.ecc_corrected = g.ecc_uncorrected = 0;
  g.rows = row_remapping{};
  g.link = gpu_link{5, 5, 16, 16, true};
  g.link_replays = 0;
  g.nvlinks = nvlinks{18, 18, 0};
  g.window_bytes = g.memory_bytes = std::uint64_t{141} << 30;
  return g;
}

class audit_gpu : public audited {
 protected:
  audit_gpu() {
    write("proc/driver/nvidia/gpus/0000:1b:00.0/information", "Model: \t\t NVIDIA H200");
    write("proc/driver/nvidia/version",
          "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build");
    given.gpus = gpu_conditions{
        .driver_cuda = 13000, .runtime_cuda = 13000, .gpus = {healthy()}, .confidential = false};
  }
  gpu_condition& gpu() { return given.gpus->gpus.front(); }
};

TEST_F(audit_gpu, a_healthy_one_has_no_findings) {
  for (const auto& check : all().checks) {
    if (check.id.starts_with("gpu.") || check.id == "pcie.gpu_link") {
      EXPECT_EQ(check.severity, ok) << check.id << ": " << check.seen;
    }
  }
}

TEST_F(audit_gpu, one_that_tells_nothing_is_unknown_and_not_guessed) {
  gpu() = {.name = "NVIDIA H200"};
  int unknowns = 0;
  for (const auto& check : all().checks) {
    if (!check.id.starts_with("gpu.") || check.severity == ok) continue;
    EXPECT_EQ(check.severity, unknown) << check.id << ": " << check.seen;
    ++unknowns;
  }
  EXPECT_GE(unknowns, 19);
}

TEST_F(audit_gpu, none_are_asked_for_on_a_machine_without) {
  given.gpus.reset();
  expect_fine("gpu.present");
  EXPECT_FALSE(is_asked("gpu.clock"));
  std::filesystem::remove_all(tree.root() / "proc/driver");
  expect_said("gpu.present", info, "no NVIDIA driver");
  EXPECT_FALSE(is_asked("gpu.kernel_module"));
}

TEST_F(audit_gpu, one_that_cannot_be_used_is_an_error) {
  given.gpus = gpu_conditions{.unreadable = "no CUDA-capable device is detected"};
  expect_problem("gpu.present", error, "no CUDA-capable device", "nvidia-smi");
}

TEST_F(audit_gpu, a_driver_older_than_the_runtime_is_noted_or_an_error) {
  given.gpus->runtime_cuda = 13010;
  expect_problem("gpu.cuda_version", info, "driver for CUDA 13.0, runtime 13.1", "driver");
  given.gpus->driver_cuda = 12080;
  expect_problem("gpu.cuda_version", error, "driver for CUDA 12.8", "driver");
}

TEST_F(audit_gpu, the_kind_of_kernel_module_is_told) {
  expect_said("gpu.kernel_module", ok, "open");
  write("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06");
  expect_said("gpu.kernel_module", ok, "closed");
}

TEST_F(audit_gpu, the_toolkits_libcuda_in_the_path_is_warned_of) {
  given.variables = {{"LD_LIBRARY_PATH", "/opt/lib:/usr/local/cuda/compat"}};
  expect_fine("gpu.compatibility");
  write("usr/local/cuda/compat/libcuda.so.1", "");
  expect_problem("gpu.compatibility", warning, "/usr/local/cuda/compat", "LD_LIBRARY_PATH");
}

TEST_F(audit_gpu, missing_peer_access_weighs_more_where_links_are) {
  EXPECT_FALSE(is_asked("gpu.peers"));
  given.gpus->peers = {{0, 1, true}, {1, 0, true}};
  expect_fine("gpu.peers");
  given.gpus->peers.back().access = false;
  expect_problem("gpu.peers", warning, "1 to 0", "topo -p2p");
  gpu().nvlinks.reset();
  expect_problem("gpu.peers", info, "1 to 0", "topo -p2p");
}

TEST_F(audit_gpu, what_holds_the_clock_is_weighed) {
  gpu().holds = clock_holds{.power_cap = true};
  expect_said("gpu.holds", info, "power limit");
  gpu().holds = clock_holds{.sync_boost = true};
  expect_said("gpu.holds", warning, "sync boost");
  gpu().holds = clock_holds{.hardware_slowdown = true, .thermal = true};
  expect_problem("gpu.holds", error, "thermal slowdown, hardware slowdown", "nvidia-smi");
}

TEST_F(audit_gpu, a_low_clock_without_a_reason_is_taken_for_locked) {
  gpu().sm_mhz = 1597;
  expect_problem("gpu.clock", warning, "1597 of 1980 MHz under load, with no reason set", "-rgc");
  gpu().holds->power_cap = true;
  expect_said("gpu.clock", info, "1597");
  gpu().holds->power_cap = false;
  gpu().clocks_under_load = false;
  expect_said("gpu.clock", ok, "idle");
}

TEST_F(audit_gpu, lowered_clocks_states_and_limits_are_warned_of) {
  gpu().application_sm_mhz = 1200;
  gpu().memory_mhz = 2619;
  gpu().performance_state = 5;
  gpu().power_limit_w = 500;
  expect_problem("gpu.application_clock", warning, "1200 MHz, default 1980", "-rac");
  expect_problem("gpu.memory_clock", warning, "2619 of 3201 MHz", "-rmc");
  expect_problem("gpu.performance_state", warning, "P5", "nvidia-smi");
  expect_problem("gpu.power_limit", warning, "500 W, default 700", "-pl");
}

TEST_F(audit_gpu, heat_is_told_before_and_after_it_slows_down) {
  gpu().thermal_violation_s = 1.5;
  gpu().temperature_c = 84;
  expect_said("gpu.violations", info, "1.5 s for heat");
  expect_problem("gpu.temperature", warning, "84 °C, memory 45 °C, slows down at 87 °C", "airflow");
}

TEST_F(audit_gpu, whoever_shares_it_is_warned_of) {
  gpu().other_processes = 2;
  expect_problem("gpu.processes", warning, "2 other processes", "nvidia-smi");
  gpu().other_processes = 0;
  gpu().busy_percent = 60;
  expect_said("gpu.processes", warning, "60 % busy");
  gpu().mig = gpu().display = true;
  gpu().virtualization = gpu_virtualization::vgpu;
  expect_problem("gpu.mig", warning, "on", "-mig 0");
  expect_problem("gpu.display", warning, "attached", "multi-user");
  expect_problem("gpu.virtualization", warning, "virtual GPU", "passed through");
}

TEST_F(audit_gpu, modes_are_told_apart) {
  gpu().compute_mode = compute_mode::exclusive_process;
  expect_problem("gpu.compute_mode", warning, "exclusive process", "-c DEFAULT");
  gpu().compute_mode = compute_mode::prohibited;
  expect_problem("gpu.compute_mode", error, "prohibited", "-c DEFAULT");
  gpu().persistence = false;
  expect_problem("gpu.persistence", warning, "off", "nvidia-persistenced");
  given.gpus->confidential = true;
  expect_problem("gpu.confidential", warning, "on", "without confidential computing");
}

TEST_F(audit_gpu, memory_that_fails_is_weighed) {
  gpu().ecc_after_reboot = false;
  expect_problem("gpu.ecc", warning, "on, off after a reset", "-e 1");
  gpu().ecc_corrected = 3;
  expect_said("gpu.ecc_errors", info, "3 corrected, 0 not");
  gpu().ecc_uncorrected = 1;
  expect_problem("gpu.ecc_errors", error, "1 not", "-d ECC");
  gpu().rows = row_remapping{.uncorrected = 1, .pending = true};
  expect_problem("gpu.rows", warning, "1 remapped, more at the next reset", "-r");
  gpu().rows->failed = true;
  expect_said("gpu.rows", error, "it failed");
  gpu().retirement_pending = true;
  expect_problem("gpu.pages", warning, "more at the next reset", "-r");
}

TEST_F(audit_gpu, links_that_are_down_or_err_are_warned_of) {
  gpu().nvlinks = nvlinks{18, 17, 0};
  expect_problem("gpu.nvlink", warning, "17 of 18 links up", "nvlink -s");
  gpu().nvlinks = nvlinks{18, 18, 4};
  expect_said("gpu.nvlink", warning, "4 errors");
  gpu().nvlinks = nvlinks{18, 0, 0};
  expect_said("gpu.nvlink", info, "0 of 18");
  gpu().window_bytes = 256u << 20;
  expect_problem("gpu.window", info, "256 MiB for 141 GiB", "Resizable BAR");
}

TEST_F(audit_gpu, the_link_is_judged_only_under_load) {
  gpu().link = gpu_link{1, 5, 16, 16, false};
  expect_fine("pcie.gpu_link");
  gpu().link->under_load = true;
  expect_problem("pcie.gpu_link", warning, "generation 1 of 5, x16 of x16 under load", "lspci");
  gpu().link = gpu_link{5, 5, 8, 16, true};
  expect_problem("pcie.gpu_link", error, "x8 of x16", "lspci");
}

TEST_F(audit_gpu, the_worst_of_several_is_named_by_its_number) {
  given.gpus->gpus.push_back(healthy());
  given.gpus->gpus[1].index = 1;
  expect_said("gpu.persistence", ok, "on");
  given.gpus->gpus[1].persistence = false;
  EXPECT_EQ(look("gpu.persistence").seen, "GPU 1: off");
}

class audit_pcie : public audited {
 protected:
  audit_pcie() {
    write(nvme + "class", "0x010802");
    write(nvme + "current_link_width", "4");
    write(nvme + "max_link_width", "4");
    write(nvme + "current_link_speed", "16.0 GT/s PCIe");
    write(nvme + "max_link_speed", "16.0 GT/s PCIe");
  }
  const std::string nvme = "sys/bus/pci/devices/0000:01:00.0/";
};

TEST_F(audit_pcie, a_link_of_fewer_lanes_is_warned_of) {
  expect_fine("pcie.width");
  write(nvme + "current_link_width", "2");
  expect_problem("pcie.width", warning, "0000:01:00.0: x2 of x4", "lspci");
}

TEST_F(audit_pcie, a_bridge_narrower_than_its_device_is_warned_of) {
  const std::string port = "sys/devices/pci0000:15/0000:15:01.0", gpu = port + "/0000:18:00.0";
  for (const auto& [folder, class_code, lanes] :
       {std::tuple{port, "0x060400", "16"}, std::tuple{gpu, "0x030200", "16"}}) {
    write(folder + "/class", class_code);
    for (const auto* name : {"/current_link_width", "/max_link_width"}) write(folder + name, lanes);
    for (const auto* name : {"/current_link_speed", "/max_link_speed"})
      write(folder + name, "32.0 GT/s PCIe");
    tree.link("sys/bus/pci/devices/" + folder.substr(folder.rfind('/') + 1), folder);
  }
  expect_fine("pcie.path");
  write(port + "/max_link_width", "8");
  expect_problem("pcie.path", warning, "0000:18:00.0 behind 0000:15:01.0: generation 5, x8", "lspci -tv");
}

TEST_F(audit_pcie, errors_are_counted_and_fatal_ones_are_errors) {
  expect_said("pcie.errors", unknown, "no device tells");
  write(nvme + "aer_dev_correctable", "RxErr 0\nTOTAL_ERR_COR 0");
  expect_fine("pcie.errors");
  write(nvme + "aer_dev_correctable", "RxErr 7\nTOTAL_ERR_COR 7");
  expect_problem("pcie.errors", warning, "7 corrected, 0 fatal", "aer");
  write(nvme + "aer_dev_fatal", "TOTAL_ERR_FATAL 1");
  expect_said("pcie.errors", error, "1 fatal");
}

TEST_F(audit_pcie, links_that_sleep_are_warned_of) {
  EXPECT_FALSE(is_asked("pcie.power_saving"));
  write("sys/module/pcie_aspm/parameters/policy", "[default] performance powersave");
  expect_fine("pcie.power_saving");
  write("sys/module/pcie_aspm/parameters/policy", "default performance [powersave]");
  expect_problem("pcie.power_saving", warning, "powersave", "echo performance");
}

TEST_F(audit_pcie, translated_addresses_are_noted) {
  expect_said("pcie.iommu", ok, "no IOMMU");
  write("sys/class/iommu/dmar0/intel-iommu/version", "1:0");
  expect_said("pcie.iommu", unknown, "no device");
  write(nvme + "iommu_group/type", "identity");
  expect_fine("pcie.iommu");
  write(nvme + "iommu_group/type", "DMA-FQ");
  expect_problem("pcie.iommu", info, "0000:01:00.0 (DMA-FQ)", "iommu=pt");
}

TEST_F(audit_pcie, what_only_root_may_read_is_said_where_it_matters) {
  EXPECT_FALSE(is_asked("pcie.access_control"));
  write("proc/driver/nvidia/gpus/0000:1b:00.0/information", "Model: a");
  write("proc/driver/nvidia/gpus/0000:1c:00.0/information", "Model: a");
  expect_said("pcie.access_control", unknown, "only root");
}

}  // namespace
}  // namespace ridge::probe
