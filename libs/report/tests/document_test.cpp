// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gmock/gmock.h>

#include <ridge/report/document.hpp>

namespace ridge::report {
namespace {

using std::int64_t;
using ::testing::HasSubstr;
using ::testing::Not;

document example_document() {
  sheet devices{.key = "devices",
                .title = "Devices",
                .fields = {{"device", "device", unit::text},
                           {"busy_ns", "busy", unit::nanoseconds},
                           {"pct.idle", "idle", unit::percent},
                           {"raw", "", unit::count}},
                .keyed = true};
  devices.rows.push_back({.values = {int64_t{0}, int64_t{1'234'567}, 2.5, int64_t{7}}});
  devices.rows.push_back(
      {.values = {int64_t{1}, std::monostate{}, std::numeric_limits<double>::quiet_NaN(), int64_t{8}}});
  sheet names{.key = "names", .fields = {{"name", "name"}}};
  names.rows.push_back({.values = {std::string("a \"b\", c")}});
  return {.schema = "ridge.trace.example/1",
          .title = "An example",
          .facts = {{"events", int64_t{3}}},
          .sheets = {devices, names}};
}

TEST(document, reads_with_units_as_text_and_leaves_out_fields_without_a_header) {
  const auto text = text_of(example_document());
  EXPECT_THAT(text, HasSubstr("1.23 ms"));
  EXPECT_THAT(text, HasSubstr("2.50 %"));
  EXPECT_THAT(text, Not(HasSubstr("raw")));
}

TEST(document, keeps_whole_nanoseconds_and_nests_keys_in_json) {
  EXPECT_EQ(json_of(example_document()), R"({
 "schema": "ridge.trace.example/1",
 "events": 3,
 "devices": {
  "0": {
   "busy_ns": 1234567,
   "pct": {
    "idle": 2.5
   },
   "raw": 7
  },
  "1": {
   "busy_ns": null,
   "pct": {
    "idle": null
   },
   "raw": 8
  }
 },
 "names": [
  {
   "name": "a \"b\", c"
  }
 ]
}
)");
}

TEST(document, quotes_csv_and_leaves_unknown_values_empty) {
  EXPECT_EQ(csv_of(example_document()),
            "device,busy_ns,pct.idle,raw\n0,1234567,2.5,7\n1,,,8\n\nname\n\"a \"\"b\"\", c\"\n");
}

}  // namespace
}  // namespace ridge::report
