// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <ridge/server/server.hpp>

#include "access/token_book.hpp"
#include "http/request_target.hpp"
#include "text/base64url.hpp"
#include "text/sha256.hpp"

namespace ridge::server {
namespace {

// The examples of FIPS 180-4 (NIST, "Examples with intermediate values") and the edges of the padding, whose
// digests are those of sha256sum.
TEST(server_sha256, gives_the_published_digests) {
  const auto hex = [](const std::string& text) { return hexadecimal(sha256(text)); };
  EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(hex(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(hex(std::string(56, 'a')), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(hex(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(server_sha256, digests_are_compared_whole) {
  const auto one = sha256("a");
  for (std::size_t i = 0; i < one.size(); ++i) {
    auto other = one;
    other[i] ^= 1U;
    EXPECT_FALSE(same_digest(one, other)) << i;
  }
  EXPECT_TRUE(same_digest(one, sha256("a")));
}

// RFC 4648, section 10, without padding.
TEST(server_base64url, gives_the_published_texts_and_reads_them_back) {
  const std::pair<std::string, std::string> rows[] = {
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xff\xef\xbf", "_--_"}};
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(base64url(bytes), text);
    EXPECT_EQ(base64url_decoded(text), bytes);
  }
  for (const std::string wrong : {"Z", "Zh", "Zm9=", "Zm9+", "Zm9/", "Zg ", "Zm8x1"})
    EXPECT_FALSE(base64url_decoded(wrong)) << wrong;
}

TEST(server_tokens, have_256_bits_and_never_repeat) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const auto token = drawn_token();
    EXPECT_EQ(base64url_decoded(token)->size(), 32U);
    EXPECT_TRUE(seen.insert(token).second);
  }
}

TEST(server_tokens, expire_are_remembered_by_use_and_bound_sessions) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::system_clock::now();
  token_book book(1h, {{"first", scope::read, now + 2h}, {"second", scope::admin}});
  EXPECT_EQ(book.granted("first", now), scope::read);
  EXPECT_EQ(book.last_used("first"), now);
  EXPECT_FALSE(book.last_used("second"));
  EXPECT_FALSE(book.granted("first", now + 2h));
  EXPECT_FALSE(book.granted("third", now));
  EXPECT_FALSE(book.granted("", now));
  const auto session = book.open_session("first", now);
  ASSERT_TRUE(session);
  EXPECT_EQ(book.session_granted(*session, now + 59min), scope::read);
  EXPECT_FALSE(book.session_granted(*session, now + 61min)) << "a session has its time";
  EXPECT_FALSE(book.session_granted("first", now)) << "a token is no session";
  EXPECT_FALSE(book.granted(*session, now)) << "a session is no token";
  book.close_session(*session);
  EXPECT_FALSE(book.session_granted(*session, now));
  EXPECT_FALSE(book.open_session("third", now));
}

TEST(server_targets, are_taken_apart) {
  const auto target = read_target("/a%20b/c?x=1+2&y=%26&empty=&bare");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->path, "/a b/c");
  ASSERT_EQ(target->query.size(), 4U);
  EXPECT_EQ(target->query[0].value, "1 2");
  EXPECT_EQ(target->query[1].value, "&");
  EXPECT_EQ(target->query[3].name, "bare");
  EXPECT_EQ(read_target("/a+b")->path, "/a+b") << "a plus is a blank in a query alone";
  EXPECT_EQ(read_target("HTTP://Host:1/a")->authority, "host:1");
  EXPECT_EQ(read_target("http://host?x=1").ok(), false);
  for (const std::string wrong : {"", "a", "*", "host:443", "ftp://host/a", "http:///a", "/a#b", "/?a=%zz"})
    EXPECT_FALSE(read_target(wrong).ok()) << wrong;
}

}  // namespace
}  // namespace ridge::server
