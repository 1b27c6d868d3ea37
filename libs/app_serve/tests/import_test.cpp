// SPDX-License-Identifier: Apache-2.0
// Saved runs that are sent to the server: what is stored, what is refused, and what becomes of it when the
// store is taken away or fails.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "served_store.hpp"

namespace ridge::app_serve {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string lines = "application/x-ndjson";

// A small run with this id.
model::run small_run(const std::string& id) {
  auto run = reference_run();
  run.families.resize(1);
  run.id = id;
  return run;
}

std::string line_of(const std::string& id) { return model::packed_json(small_run(id)) + "\n"; }

http_answer post(const served_store& one, const std::string& body, const std::string& fields = "",
                 const std::string& type = "application/json") {
  return one.ask("POST", "/api/v1/runs", body, fields, type);
}

std::size_t stored_runs(const served_store& one) {
  return one.get("/api/v1/runs?limit=1000").json().at("items").size();
}

TEST(serve_import, stores_one_run_as_it_was_saved_and_once) {
  served_store one(std::vector<model::run>{});
  const auto run = reference_run();
  const auto first = post(one, model::to_json(run));
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(first.json().at("stored"), 1);
  EXPECT_EQ(first.json().at("items").at(0).at("id"), run.id);
  EXPECT_EQ(first.json().at("items").at(0).at("state"), "stored");
  EXPECT_EQ(first.json().at("items").at(0).at("families"), run.families.size());
  EXPECT_EQ(model::to_json(*one.stores().borrow()->load(run.id)), model::to_json(run));
  const auto again = post(one, model::to_json(run));
  ASSERT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(again.json().at("items").at(0).at("state"), "known");
  EXPECT_EQ(again.json().at("stored"), 0);
  EXPECT_EQ(one.get("/api/v1/summary").json().at("families"), run.families.size());
  auto packed = run;
  EXPECT_EQ(post(one, model::packed_json(packed)).json().at("known"), 1) << "samples with nine digits";
  packed.families.pop_back();
  const auto other = post(one, model::to_json(packed));
  EXPECT_EQ(other.status, 409) << other.body;
  EXPECT_THAT(other.json().at("detail").get<std::string>(), HasSubstr(run.id));
  EXPECT_EQ(one.get("/api/v1/summary").json().at("families"), run.families.size()) << "it is left as it was";
}

TEST(serve_import, stores_each_line_and_keeps_what_came_before_an_error) {
  served_store one(std::vector<model::run>{});
  const auto both = post(one, line_of("01A") + "\r\n\n" + line_of("01B"), "", lines);
  ASSERT_EQ(both.status, 200) << both.body;
  EXPECT_EQ(both.json().at("stored"), 2);
  EXPECT_EQ(both.json().at("items").at(1).at("line"), 4);
  const auto without_end = line_of("01C");
  EXPECT_EQ(post(one, without_end.substr(0, without_end.size() - 1), "", lines).json().at("stored"), 1);

  struct fault {
    std::string line, says;
    int status = 400;
  };
  auto other = small_run("01A");
  other.profile = "another";
  const auto good = line_of("01D");
  const auto replaced = [&](const std::string& text, const std::string& by) {
    auto made = line_of("01E");
    const auto place = made.find(text);
    EXPECT_NE(place, std::string::npos) << text;
    return made.replace(place, text.size(), by);
  };
  const std::vector<fault> faults{
      {replaced("\"seed\":", "\"seed\":NaN,\"x\":"), "line 3, column "},
      {replaced("\"seed\":", "\"seed\":1e999,\"x\":"), "too large"},
      {replaced("\"wall_s\":", "\"wall_s\":-1,\"x\":"), "line 3, /wall_s: a time is below zero"},
      {replaced("ridge.run/1", "ridge.run/2"), "line 3, /schema: 'ridge.run/2' was written by a newer ridge"},
      {replaced("ridge.run/1", "other/1"), "line 3, /schema: "},
      {line_of("01E").substr(0, 2000) + "\n", "line 3, column 2001 is not JSON"},
      {replaced("\"01E\"", "\"\""), "line 3, /id: "},
      {replaced("\"01E\"", "\"a\\u0000b\""), "line 3, /id: a text holds a zero byte"},
      {replaced("\"01E\"", "\"\xff\xfe\""), "is not JSON"},
      {replaced("\"families\":[", "\"families\":[7,"), "line 3, /families/0: an object expected"},
      {std::string(200'000, '[') + "\n", "line 3, it is nested more than 64 levels deep"},
      {replaced("\"seed\":", "\"id\":\"01G\",\"seed\":"), "line 3, an object has two members \"id\""},
      {"[]\n", "line 3, an object expected"},
      {model::packed_json(other) + "\n", "line 3, /id: another run of the id 01A is stored already", 409}};
  for (const auto& one_fault : faults) {
    const auto refused = post(one, "\n" + good + one_fault.line + line_of("01F"), "", lines);
    EXPECT_EQ(refused.status, one_fault.status) << one_fault.says;
    EXPECT_THAT(refused.header, HasSubstr("application/problem+json"));
    const auto said = refused.json();
    EXPECT_THAT(said.at("detail").get<std::string>(), HasSubstr(one_fault.says));
    EXPECT_NE(said.at("remedy"), "") << one_fault.says;
    EXPECT_EQ(said.at("line"), 3);
    EXPECT_EQ(said.at("items").at(0).at("id"), "01D") << "what is kept is said";
    EXPECT_EQ(stored_runs(one), 4U) << "01A to 01D; nothing after the error: " << one_fault.says;
  }
}

TEST(serve_import, limits_what_it_takes) {
  served_store one(std::vector<model::run>{});
  EXPECT_EQ(post(one, "").status, 400);
  EXPECT_EQ(post(one, "\n\n  \n", "", lines).status, 400);
  EXPECT_EQ(post(one, line_of("01A"), "", "text/plain").status, 415);
  const auto large = post(one, line_of("01A") + std::string(17U << 20U, ' ') + "\n", "", lines);
  EXPECT_EQ(large.status, 413) << large.body;
  EXPECT_EQ(large.json().at("stored"), 1);
  EXPECT_THAT(large.json().at("remedy").get<std::string>(), HasSubstr("ridge import"));
  EXPECT_EQ(post(one, "", "Content-Length: 68157440\r\n", lines).status, 413) << "it is not read";
  EXPECT_EQ(stored_runs(one), 1U);
}

TEST(serve_import, answers_a_key_once) {
  served_store one(std::vector<model::run>{});
  const std::string key = "Idempotency-Key: 3f1c\r\n";
  const auto first = post(one, line_of("01A"), key, lines);
  const auto again = post(one, line_of("01A"), key, lines);
  EXPECT_EQ(first.json().at("stored"), 1);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, first.body) << "not `known`: the first answer again";
  const auto other = post(one, line_of("01B"), key, lines);
  EXPECT_EQ(other.status, 422);
  EXPECT_EQ(stored_runs(one), 1U);
  const auto refused = post(one, "[]\n", "Idempotency-Key: 4a\r\n", lines);
  EXPECT_EQ(post(one, "[]\n", "Idempotency-Key: 4a\r\n", lines).body, refused.body);
  EXPECT_EQ(post(one, line_of("01B"), "Idempotency-Key: " + std::string(300, 'x') + "\r\n", lines).status,
            400);
  EXPECT_EQ(stored_runs(one), 1U);
}

TEST(serve_store, what_is_sent_goes_to_the_file_that_is_there) {
  served_store one;
  ASSERT_EQ(one.get("/api/v1/summary").json().at("runs"), 1);
  // Restored from a copy, say: the server must not go on with the file that has no name any more.
  for (const std::string ending : {"", "-wal", "-shm"}) std::filesystem::remove(one.path() + ending);
  auto run = reference_run();
  run.id = "01B";
  EXPECT_EQ(one.ask("POST", "/api/v1/runs", model::packed_json(run)).json().at("stored"), 1);
  const auto there = app::open_store_at(one.path());
  EXPECT_EQ(there->counts().runs, 1U);
  EXPECT_TRUE(there->load("01B").ok());
  EXPECT_EQ(one.get("/api/v1/runs").json().at("items").size(), 1U);
}

TEST(serve_store, a_failure_tells_clients_no_place_on_this_machine) {
  served_store one;
  for (const std::string ending : {"-wal", "-shm"}) std::filesystem::remove(one.path() + ending);
  std::filesystem::remove(one.path());
  std::ofstream(one.path()) << std::string(100'000, 'x');
  for (const std::string target :
       {"/api/v1/summary", "/api/v1/runs", "/api/v1/changes", "/api/v1/analyses/cost"}) {
    const auto answer = one.get(target);
    EXPECT_EQ(answer.status, 503) << target;
    EXPECT_THAT(answer.body, Not(HasSubstr(one.path()))) << target;
  }
  const auto sent = one.ask("POST", "/api/v1/runs", model::packed_json(reference_run()));
  EXPECT_EQ(sent.status, 503);
  EXPECT_THAT(sent.body, Not(HasSubstr(one.path())));
  ASSERT_EQ(one.failures().size(), 1U) << "one cause is told once";
  EXPECT_THAT(one.failures().front(), HasSubstr(one.path()));
}

}  // namespace
}  // namespace ridge::app_serve
