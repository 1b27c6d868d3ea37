// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/machine_tree.hpp>

#include <gtest/gtest.h>

#include <ridge/model/json.hpp>

namespace ridge::model {
namespace {

machine_node small_machine() {
  machine_node machine{.kind = "machine", .name = "box"};
  machine.add("memory", "64 GiB", 68719476736, "B").add("container", "");
  machine_node gpu{.kind = "gpu", .name = "GPU \"0\""};
  gpu.add("driver", "580.65.06");
  machine.children = {{.kind = "numa_node", .name = "node 0", .children = {gpu}}, {.kind = "isa"}};
  return machine;
}

TEST(machine_tree, empty_facts_are_left_out) {
  EXPECT_EQ(small_machine().facts.size(), 1u);
  EXPECT_EQ(small_machine().fact("container"), nullptr);
  EXPECT_EQ(small_machine().fact("memory")->value, 68719476736.0);
}

TEST(machine_tree, parts_are_found_by_kind) {
  const auto machine = small_machine();
  ASSERT_NE(machine.find("gpu"), nullptr);
  EXPECT_EQ(machine.find("gpu")->fact("driver")->text, "580.65.06");
  EXPECT_EQ(machine.find("machine"), &machine);
  EXPECT_EQ(machine.find("nic"), nullptr);
}

TEST(machine_tree, json_is_read_back_as_it_was) {
  const auto machine = small_machine();
  const auto read = probe_from_json(probe_json(machine));
  ASSERT_TRUE(read) << read.why().text();
  EXPECT_EQ(*read, machine);
}

TEST(machine_tree, json_gives_facts_by_name) {
  const auto text = probe_json(small_machine());
  EXPECT_NE(text.find("\"schema\": \"ridge.probe/1\""), std::string::npos);
  EXPECT_NE(text.find("\"memory\": {"), std::string::npos) << text;
  EXPECT_NE(text.find("\"value\": 68719476736"), std::string::npos) << text;
}

TEST(machine_tree, a_wrong_type_is_named_by_its_place) {
  const auto read = probe_from_json(R"({"schema": "ridge.probe/1", "machine": {"children": [{"name": 1}]}})");
  ASSERT_FALSE(read);
  EXPECT_NE(read.why().message.find("/machine/children/0/name"), std::string::npos) << read.why().message;
}

}  // namespace
}  // namespace ridge::model
