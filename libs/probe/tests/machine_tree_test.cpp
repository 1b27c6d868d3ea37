// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/machine_tree.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include <ridge/base/text.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/tree.hpp>

#include "made_up_machines.hpp"

namespace ridge::probe {
namespace {

using model::machine_node;

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Compares with tests/golden/NAME.approved; writes NAME.received beside it where they differ.
void expect_golden(const std::string& name, const std::string& text) {
  const auto folder = std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "libs/probe/tests/golden";
  const auto received = folder / (name + ".received");
  if (contents(folder / (name + ".approved")) == text) {
    std::filesystem::remove(received);
    return;
  }
  std::ofstream(received, std::ios::binary) << text;
  ADD_FAILURE() << name << " differs from what was approved; look and accept it with tools/approve:\n"
                << text;
}

std::vector<const machine_node*> all_of(const machine_node& root, const std::string& kind) {
  std::vector<const machine_node*> found;
  if (root.kind == kind) found.push_back(&root);
  for (const auto& child : root.children) {
    const auto below = all_of(child, kind);
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

std::string text_of(const machine_node& node, const std::string& fact) {
  const auto* found = node.fact(fact);
  return found == nullptr ? "" : found->text;
}

TEST(machine_tree, of_eight_gpus) {
  expect_golden("eight_gpus.txt", report::tree_text(machine_tree(eight_gpus())));
}
TEST(machine_tree, of_a_virtual_machine) {
  expect_golden("virtual_machine.txt", report::tree_text(machine_tree(virtual_machine())));
}
TEST(machine_tree, of_a_grace) { expect_golden("grace.txt", report::tree_text(machine_tree(grace()))); }

TEST(machine_tree, fits_a_hundred_columns_and_stays_short) {
  for (const auto& facts : {eight_gpus(), virtual_machine(), grace()}) {
    const auto text = report::tree_text(machine_tree(facts));
    const auto lines = split(text, '\n');
    EXPECT_LT(lines.size(), 110u);
    for (const auto line : lines) EXPECT_LE(display_width(line), 100u) << line;
  }
}

TEST(machine_tree, is_read_back_from_its_json) {
  for (const auto& facts : {eight_gpus(), virtual_machine(), grace()}) {
    const auto tree = machine_tree(facts);
    const auto read = model::probe_from_json(model::probe_json(tree));
    ASSERT_TRUE(read) << read.why().text();
    EXPECT_EQ(*read, tree);
  }
}

TEST(machine_tree, every_device_hangs_below_its_own_node) {
  const auto tree = machine_tree(eight_gpus());
  const auto nodes = all_of(tree, "numa_node");
  ASSERT_EQ(nodes.size(), 2u);
  for (const auto* node : nodes) {
    EXPECT_EQ(all_of(*node, "gpu").size(), 4u);
    EXPECT_EQ(all_of(*node, "network").size(), 4u);
  }
  EXPECT_EQ(all_of(*nodes[0], "disk").size(), 1u);
  EXPECT_TRUE(all_of(*nodes[1], "disk").empty());
  EXPECT_TRUE(all_of(tree, "device").empty()) << "USB is of no use to computing";
}

TEST(machine_tree, a_switch_that_devices_share_stands_above_them) {
  const auto tree = machine_tree(eight_gpus());
  const auto switches = all_of(tree, "switch");
  ASSERT_EQ(switches.size(), 8u);
  EXPECT_EQ(switches[0]->children.size(), 2u);
  EXPECT_EQ(text_of(*switches[0], "root port"), "0000:15:01.0");
}

TEST(machine_tree, the_narrowest_hop_is_named_where_it_is_not_the_devices_own) {
  const auto tree = machine_tree(eight_gpus());
  const auto gpus = all_of(tree, "gpu");
  ASSERT_EQ(gpus.size(), 8u);
  EXPECT_EQ(text_of(*gpus[0], "narrowest"), "");
  EXPECT_EQ(text_of(*gpus[7], "narrowest"), "PCIe 5 ×8, 31.5 GB/s at 0000:85:01.0");
  const auto disks = all_of(tree, "disk");
  EXPECT_EQ(text_of(*disks[0], "link"), "PCIe 4 ×4, 7.88 GB/s");
}

TEST(machine_tree, cores_of_two_sorts_are_told_apart) {
  auto facts = virtual_machine();
  auto& t = facts.topology;
  t.allowed = {0, 1, 2, 3};
  t.cores = {{0, 0, {0, 1}}, {0, 1, {2}}, {0, 2, {3}}};
  t.caches.clear();
  add_cache(t, 2, host::cache_kind::unified, 2 * mib, {0, 1});
  add_cache(t, 2, host::cache_kind::unified, 4 * mib, {2, 3});
  t.nodes = {{0, {0, 1, 2, 3}, 0, {}}};
  const auto tree = machine_tree(facts);
  const auto sorts = all_of(tree, "cores").at(0)->children;
  ASSERT_EQ(sorts.size(), 2u);
  EXPECT_EQ(text_of(sorts[0], "CPUs"), "0 and 1");
  EXPECT_EQ(text_of(sorts[1], "CPUs"), "2-3");
  EXPECT_EQ(text_of(sorts[1], "L2"), "4 MiB for 2 cores");
}

TEST(machine_tree, a_node_that_spans_sockets_stands_below_the_machine) {
  auto facts = eight_gpus();
  facts.topology.nodes = {{0, facts.topology.allowed, 2016 * gib, {}}};
  const auto tree = machine_tree(facts);
  EXPECT_EQ(all_of(tree, "package").size(), 2u);
  const auto below = std::ranges::count(tree.children, "numa_node", &machine_node::kind);
  EXPECT_EQ(below, 1);
  EXPECT_EQ(all_of(tree, "l3").size(), 2u);
}

TEST(machine_tree, devices_whose_node_the_firmware_hides_have_a_place_of_their_own) {
  auto facts = eight_gpus();
  for (auto& device : facts.pci) device.numa_node.reset();
  const auto tree = machine_tree(facts);
  EXPECT_TRUE(all_of(*all_of(tree, "numa_node")[0], "gpu").empty());
  const auto apart = all_of(tree, "devices");
  ASSERT_EQ(apart.size(), 1u);
  EXPECT_EQ(all_of(*apart[0], "gpu").size(), 8u);
}

TEST(machine_tree, gpus_of_one_model_are_described_once) {
  const auto tree = machine_tree(eight_gpus());
  const auto models = all_of(tree, "gpu_model");
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0]->fact("count")->value, 8);
  EXPECT_EQ(all_of(tree, "gpu_state").size(), 8u);
  EXPECT_EQ(text_of(*all_of(tree, "gpu_shared").at(0), "ECC"), "on");
  EXPECT_EQ(text_of(*all_of(tree, "gpu_state")[3], "ECC"), "");
}

TEST(machine_tree, a_gpu_that_differs_keeps_its_own_facts) {
  auto facts = eight_gpus();
  auto survey = facts.gpus.value();
  survey.gpus[5].ecc = false;
  facts.gpus = survey;
  const auto tree = machine_tree(facts);
  EXPECT_EQ(text_of(*all_of(tree, "gpu_shared").at(0), "ECC"), "");
  EXPECT_EQ(text_of(*all_of(tree, "gpu_state")[5], "ECC"), "off");
  EXPECT_EQ(text_of(*all_of(tree, "gpu_state")[0], "ECC"), "on");
}

TEST(machine_tree, what_container_runtimes_and_snap_mount_is_no_news) {
  auto facts = eight_gpus();
  auto& disk = facts.disks.front();
  disk.mounts.push_back({"/usr/bin/nvidia-smi", "ext4", "/dev/nvme0n1p2", "259:2", "ro"});
  disk.mounts.push_back({"/etc/hosts", "ext4", "/dev/nvme0n1p2", "259:2", "rw"});
  facts.disks.push_back(
      {.name = "loop3", .bytes = 4096, .mounts = {{"/snap/core/1", "squashfs", "/dev/loop3", "7:3", "ro"}}});
  const auto tree = machine_tree(facts);
  const auto disks = all_of(tree, "disk");
  ASSERT_EQ(disks.size(), 1u);
  EXPECT_EQ(text_of(*disks[0], "mounted"), "/ (ext4)");
}

TEST(machine_tree, a_gpu_that_this_process_may_not_use_says_so) {
  auto facts = eight_gpus();
  auto survey = facts.gpus.value();
  survey.gpus.resize(1);
  facts.gpus = survey;
  const auto tree = machine_tree(facts);
  const auto gpus = all_of(tree, "gpu");
  ASSERT_EQ(gpus.size(), 8u);
  EXPECT_EQ(text_of(*gpus[0], "use"), "");
  EXPECT_EQ(text_of(*gpus[1], "use"), "not given to this process");
  EXPECT_EQ(gpus[1]->name, "NVIDIA 3D controller 10de:2335");
}

TEST(machine_tree, functions_handed_to_guests_are_left_out) {
  auto facts = eight_gpus();
  auto guest = pci_at("0000:19:00.1", 0x020700, 0x15b3, 0x101e, "vfio-pci", 0);
  guest.physical_function = "0000:19:00.0";
  facts.pci.push_back(guest);
  const auto tree = machine_tree(facts);
  EXPECT_TRUE(all_of(tree, "device").empty());
}

}  // namespace
}  // namespace ridge::probe
