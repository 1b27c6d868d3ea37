// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/wire_message.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <ridge/trace/whole_content.hpp>

namespace ridge::trace {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

// 1: 150, 2: "ok", 3: 1.5 as fixed64, 4: 7 as fixed32, 5: -1.
const std::string message =
    "\x08\x96\x01\x12\x02ok\x19\0\0\0\0\0\0\xf8\x3f\x25\x07\0\0\0\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s;

TEST(wire_message, reads_fields_of_every_type) {
  wire_message fields(message);
  wire_field f;
  ASSERT_TRUE(fields.next(f));
  EXPECT_EQ(f.number, 1U);
  EXPECT_EQ(f.value, 150U);
  ASSERT_TRUE(fields.next(f));
  EXPECT_EQ(f.type, wire_type::bytes);
  EXPECT_EQ(f.bytes, "ok");
  ASSERT_TRUE(fields.next(f));
  EXPECT_EQ(f.real(), 1.5);
  ASSERT_TRUE(fields.next(f));
  EXPECT_EQ(f.value, 7U);
  ASSERT_TRUE(fields.next(f));
  EXPECT_EQ(f.whole(), -1);
  EXPECT_FALSE(fields.next(f));
  EXPECT_FALSE(fields.damaged());
  EXPECT_EQ(fields.position(), message.size());
}

TEST(wire_message, stops_at_every_cut_and_never_passes_the_end) {
  for (std::size_t length = 0; length < message.size(); ++length) {
    const auto cut = std::make_unique<char[]>(length);  // an address sanitizer watches its end
    message.copy(cut.get(), length);
    wire_message fields({cut.get(), length});
    wire_field f;
    std::uint64_t before = 0;
    while (fields.next(f)) before = fields.position();
    EXPECT_EQ(fields.position(), before);
    EXPECT_EQ(fields.damaged(), before != length) << length;
  }
}

TEST(wire_message, refuses_what_no_writer_writes) {
  wire_field f;
  for (const auto& bad : {"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s,  // a length of 2^64 - 1
                          "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s, "\x0b\x01"s, "\x07"s,
                          "\x00\x01"s, "\x80\x80\x80\x80\x80\x80\x01\x01"s, "\x12\x03no"s}) {
    wire_message fields(bad);
    EXPECT_FALSE(fields.next(f));
    EXPECT_TRUE(fields.damaged());
    EXPECT_EQ(fields.position(), 0U);
  }
}

TEST(wire_message, gives_of_a_cut_text_what_is_left) {
  wire_message fields("\x08\x01\x12\x05tr"sv);
  wire_field f;
  ASSERT_TRUE(fields.next(f));
  EXPECT_FALSE(fields.take_cut(f));
  EXPECT_FALSE(fields.next(f));
  ASSERT_TRUE(fields.take_cut(f));
  EXPECT_EQ(f.number, 2U);
  EXPECT_EQ(f.bytes, "tr");
  wire_message number("\x08\x80"sv);
  EXPECT_FALSE(number.next(f));
  EXPECT_FALSE(number.take_cut(f));
}

TEST(whole_content, takes_all_or_says_that_it_is_too_much) {
  const std::string text(3'000'000, 'x');
  EXPECT_EQ(whole_content(*source_of(text), text.size()).value().view(), text);
  EXPECT_FALSE(whole_content(*source_of(text), text.size() - 1).has_value());
  EXPECT_EQ(whole_content(*source_of(""), 0).value().view(), "");
}

TEST(whole_content, grows_where_a_source_does_not_know_its_size) {
  class unsized_source final : public byte_source {
   public:
    std::size_t read(std::span<char> buffer) override {
      const auto n = std::min<std::size_t>({buffer.size(), left_, 700'000});
      std::ranges::fill(buffer.first(n), 'y');
      left_ -= n;
      return n;
    }

   private:
    std::size_t left_ = 5'000'000;
  } source;
  EXPECT_EQ(whole_content(source, 6'000'000).value().view(), std::string(5'000'000, 'y'));
}

}  // namespace
}  // namespace ridge::trace
