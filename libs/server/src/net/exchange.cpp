// SPDX-License-Identifier: Apache-2.0
// What a connection does with one request: finds its route, reads its body, has it answered.
#include <algorithm>
#include <exception>
#include <utility>

#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>

#include "net/connection.hpp"
#include "net/session_body.hpp"

namespace ridge::server {
namespace {

constexpr std::size_t part_size = 64 * 1024;
constexpr std::size_t login_bytes = 4 * 1024;  // of whom nothing is known yet

std::optional<http_method> method_named(std::string_view text) {
  for (const auto one : {http_method::get, http_method::head, http_method::post, http_method::put,
                         http_method::patch, http_method::erase})
    if (name(one) == text) return one;
  return std::nullopt;
}

// Runs what a handler does and turns what it throws into an answer.
template <class Work>
response guarded(Work work) {
  try {
    return work();
  } catch (const unavailable& why) {
    return problem(503, why.why());
  } catch (const failure& why) {
    return problem(500, why.why());
  } catch (const std::exception&) {
    // Its text was not written for others.
    return problem(
        500, {"the server failed to answer: this is a bug", "report it with the request that you sent"});
  }
}

// Makes a message of an answer; where even that fails, of an error without further work.
message sealed(response answer, const answer_form& form) {
  try {
    return message_of(std::move(answer), form);
  } catch (const std::exception&) {
    return message_of(problem(500, {"the answer could not be made ready", "ask for less at once"}),
                      {.keep_alive = form.keep_alive});
  }
}

response too_large(std::size_t most) {
  return problem(413, {"the body has more than " + std::to_string(most) + " bytes", "send less at once"});
}

}  // namespace

std::optional<response> connection::find(exchange& made) {
  auto target = read_target(made.head.target);
  // The host is looked at even when the target is wrong: a foreign one learns nothing but that.
  if (auto refused = engine_.guard->refused(made.head, target ? *target : request_target{})) return refused;
  if (!target) return problem(400, target.why());
  const auto method = method_named(made.head.method);
  if (!method) return problem(501, {"this server has no method " + made.head.method, "use GET"});
  std::string others;
  made.found = engine_.table.find(*method, target->path, made.asked.variables, others);
  const bool reads = *method == http_method::get || *method == http_method::head;
  if (made.found == nullptr && reads) made.asset = engine_.shelf.find(target->path);
  if (made.asset != nullptr) return made.label = "static", std::nullopt;
  if (made.found == nullptr && others.empty())
    return problem(404, {"there is nothing at " + target->path, "see /openapi.json"});
  if (made.found == nullptr) {
    auto refused = problem(405, {target->path + " has no " + made.head.method, "use " + others});
    refused.fields.push_back({"Allow", others});
    return refused;
  }
  made.label = made.found->pattern;
  auto grant = engine_.guard->granted(made.head, *made.found, peer_);
  if (grant.refused) return std::move(grant.refused);
  made.asked.method = *method;
  made.asked.path = std::move(target->path);
  made.asked.query = std::move(target->query);
  made.asked.granted = grant.granted;
  made.asked.peer = peer_;
  for (auto& field : made.head.fields)
    if (field.name != "authorization" && field.name != "cookie") made.asked.fields.push_back(field);
  if (auto refused = parameter_refusal(*made.found, made.asked)) return refused;
  if (reads && !made.body_is_read)
    return problem(400, {made.head.method + " carries no body", "leave it out"});
  return std::nullopt;
}

task<message> connection::answered(body_parser& parser, exchange& made) {
  std::optional<response> refused = find(made);
  if (!refused && made.asset != nullptr) co_return asset_message(made);
  if (!refused && made.found->live) {
    if (engine_.become_stream()) {
      is_stream_ = true;
      co_return message{};
    }
    refused = problem(503, {"there are as many event streams as this server allows", "close a page"});
  }
  if (!refused && !made.body_is_read) {
    refused = co_await continue_if_expected(made);
    if (!refused && made.found->receive) co_return co_await received_in_parts(parser, made);
    if (!refused) refused = co_await read_body(parser, made);
  }
  if (!refused && made.label == "/session" && made.asked.method == http_method::post) {
    const auto token = token_in(made.asked.body);
    refused = token ? engine_.guard->open_session(*token, peer_) : problem(400, token.why());
  } else if (!refused && made.label == "/session" && made.asked.method == http_method::erase) {
    refused = engine_.guard->close_session(made.head);
  }
  auto form = form_of(made);
  if (refused) {
    if (refused->status == 400 || refused->status == 421) form.keep_alive = false;
    co_return message_of(*std::move(refused), form);
  }
  message answer;
  auto work = handling(made, form, answer);
  if (made.found->quick)
    work();
  else
    co_await on_pool(engine_.handlers, std::move(work));
  co_return answer;
}

std::function<void()> connection::handling(const exchange& made, const answer_form& form, message& answer) {
  return [&made, &form, &answer] {
    const auto& found = *made.found;
    answer = sealed(guarded([&] {
                      return found.answer ? found.answer(made.asked) : found.receive(made.asked)->finish();
                    }),
                    form);
  };
}

std::size_t connection::most_bytes(const exchange& made) const {
  const auto& limits = engine_.settings.limits;
  if (made.found->receive) return limits.bulk_bytes;
  return made.label == "/session" ? std::min(login_bytes, limits.body_bytes) : limits.body_bytes;
}

task<std::optional<response>> connection::continue_if_expected(const exchange& made) {
  const auto most = most_bytes(made);
  if (made.framing.length > most) co_return too_large(most);
  const auto expectation = value_of(made.head.fields, "expect");
  if (!expectation) co_return std::nullopt;
  if (lower_case(*expectation) != "100-continue")
    co_return problem(417, {"this server knows the expectation 100-continue alone", "leave out Expect"});
  message more;
  more.header = "HTTP/1.1 100 Continue\r\n\r\n";
  const bool sent = co_await send(more);
  if (!sent) co_return problem(408, {"the client did not take 100 Continue", ""});
  co_return std::nullopt;
}

task<std::optional<response>> connection::read_part(body_parser& parser, std::string& part,
                                                    clock::time_point until) {
  part.resize(part_size);
  parser.get().body().data = part.data();
  parser.get().body().size = part.size();
  parser.get().body().more = true;
  deadline_ = until;
  expired_ = false;
  auto [error, count] = co_await boost::beast::http::async_read_some(socket_, received_, parser, awaited);
  no_deadline();
  part.resize(part_size - parser.get().body().size);
  if (error == boost::beast::http::error::need_buffer) error = {};
  if (!error) co_return std::nullopt;
  if (expired_) co_return problem(408, {"the body did not arrive in time", "send it at once"});
  if (error == boost::beast::http::error::buffer_overflow)
    co_return problem(400, {"the header of a chunk, or the fields behind the last one, do not end",
                            "send chunks without extensions"});
  co_return problem(
      400, {"the body is not delimited as the header says", "send a request as RFC 9112 describes it"});
}

task<std::optional<response>> connection::read_body(body_parser& parser, exchange& made) {
  std::string part;
  const auto most = most_bytes(made);
  const auto until = clock::now() + engine_.settings.limits.body_time;
  while (!parser.is_done()) {
    auto refused = co_await read_part(parser, part, until);
    if (refused) co_return refused;
    if (made.asked.body.size() + part.size() > most) co_return too_large(most);
    made.asked.body += part;
  }
  made.body_is_read = true;
  co_return std::nullopt;
}

std::function<void()> connection::taking_part(const exchange& made, transfer& sent) {
  return [&made, &sent] {
    constexpr int goes_on = 0;
    auto outcome = guarded([&] {
      if (!sent.sink) sent.sink = made.found->receive(made.asked);
      sent.sink->write(sent.part);
      response none;
      none.status = goes_on;
      return none;
    });
    if (outcome.status != goes_on) sent.ended = std::move(outcome);
  };
}

std::function<void()> connection::finishing(transfer& sent, const answer_form& form, message& answer) {
  return [&sent, &form, &answer] {
    if (!sent.ended) sent.ended = guarded([&] { return sent.sink->finish(); });
    sent.sink.reset();
    answer = sealed(*std::move(sent.ended), form);
  };
}

task<message> connection::received_in_parts(body_parser& parser, exchange& made) {
  transfer sent;
  std::size_t received = 0;
  const auto most = engine_.settings.limits.bulk_bytes;
  while (!sent.ended && !parser.is_done()) {
    const auto until = clock::now() + engine_.settings.limits.body_time;
    sent.ended = co_await read_part(parser, sent.part, until);
    received += sent.part.size();
    if (!sent.ended && received > most) sent.ended = too_large(most);
    if (sent.ended) break;
    auto work = taking_part(made, sent);
    co_await on_pool(engine_.handlers, std::move(work));
  }
  made.body_is_read = parser.is_done();
  const auto form = form_of(made);
  message answer;
  auto work = finishing(sent, form, answer);
  co_await on_pool(engine_.handlers, std::move(work));
  co_return answer;
}

message connection::asset_message(const exchange& made) const {
  const auto form = form_of(made);
  const auto& asset = *made.asset;
  const bool zipped = form.gzip && asset.gzip;
  const auto& tag = zipped ? asset.gzip_tag : asset.tag;
  response answer;
  answer.content_type = asset.content_type;
  answer.fields = {{"ETag", tag}, {"Vary", "Accept-Encoding"}};
  if (zipped) answer.fields.push_back({"Content-Encoding", "gzip"});
  const bool has_it = !form.if_none_match.empty() && names_tag(form.if_none_match, tag);
  if (has_it) answer.status = 304;
  const auto& body = zipped ? asset.gzip : asset.plain;
  message made_message{.status = answer.status, .closes = !form.keep_alive};
  made_message.header =
      header_text(answer, body->size(), {.keep_alive = form.keep_alive, .cache = asset.cache});
  if (!has_it && !form.is_head) made_message.body = body;
  return made_message;
}

}  // namespace ridge::server
