// SPDX-License-Identifier: Apache-2.0
#include "commands/serve.hpp"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include <sys/stat.h>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/version.hpp>
#include <ridge/base/escape.hpp>
#include <ridge/server/server.hpp>
#include <ridge/store/location.hpp>
#include <ridge/store/store_failure.hpp>

#include "api/api.hpp"
#include "api/jobs.hpp"
#include "commands/program_output.hpp"
#include "pages/pages.hpp"
#include "stored/store_watch.hpp"
#include "tokens/token_file.hpp"

namespace ridge::app_serve {
namespace {

struct serve_options {
  int port = 8100;
  std::string address{"127.0.0.1"};
  std::string socket{};
  std::string token_file{};
  std::vector<std::string> allowed_hosts{};
  bool no_token = false;
  bool behind_proxy = false;
  bool allow_run = false;
  int threads = 4;
};

result<server::options> options_of(const app::context& program, const serve_options& o) {
  if (o.port < 0 || o.port > 65535)
    return error{fmt::format("--port cannot be {}", o.port), "give 0 to 65535"};
  if (o.threads < 1 || o.threads > 256)
    return error{fmt::format("--threads cannot be {}", o.threads), "give 1 to 256"};
  if (o.no_token && o.allow_run)
    return error{"--allow-run needs tokens: everybody on this machine could start runs",
                 "leave out --no-token"};
  if (o.no_token && !o.token_file.empty())
    return error{"--no-token and --token-file exclude each other", "leave out one"};
  if (o.behind_proxy && o.token_file.empty())
    return error{"--behind-proxy needs --token-file: the token would stand in a terminal only",
                 "add --token-file FILE"};
  server::options made{.address = o.address,
                       .port = static_cast<std::uint16_t>(o.port),
                       .socket_path = o.socket,
                       .allowed_hosts = o.allowed_hosts,
                       .behind_proxy = o.behind_proxy,
                       .open_access = o.no_token,
                       .handler_threads = static_cast<std::size_t>(o.threads)};
  made.audit = [&program](std::string_view line) { program.tell(fmt::format("ridge serve: {}\n", line)); };
  if (o.no_token) return made;
  if (o.token_file.empty()) {
    made.tokens = {
        {.text = server::drawn_token(), .granted = o.allow_run ? server::scope::run : server::scope::write}};
    return made;
  }
  auto tokens = tokens_of_file(o.token_file);
  if (!tokens) return tokens.why();
  made.tokens = std::move(tokens).value();
  return made;
}

// Everything that a job may measure.
std::vector<std::string> suites_of(const app::context& program) {
  std::set<std::string> all;
  for (const auto& id : program.experiments.ids()) {
    all.insert(id);
    all.insert(id.substr(0, id.find('.')));
  }
  return {all.begin(), all.end()};
}

// Where the user goes. A token that was drawn for this call stands in the fragment, which browsers keep to
// themselves.
std::string address_of(const serve_options& o, const server::options& chosen, std::uint16_t port) {
  if (!o.socket.empty()) return fmt::format("{} (curl --unix-socket)", o.socket);
  const auto host = o.address == "::1" ? "[::1]" : o.address;
  const bool shows_token = !o.no_token && o.token_file.empty();
  return fmt::format("http://{}:{}/{}", host, port, shows_token ? "#t=" + chosen.tokens.front().text : "");
}

// Tokens are read again when their file has changed, so that one can be taken away while the server runs.
class watched_tokens final {
 public:
  explicit watched_tokens(std::string path) : path_(std::move(path)), seen_(stamp()) {}

  void look(const app::context& program, server::server& running) {
    if (path_.empty() || stamp() == seen_) return;
    seen_ = stamp();
    auto tokens = seen_.empty()
                      ? result<std::vector<server::access_token>>(error{path_ + " is gone", "restore it"})
                      : tokens_of_file(path_);
    if (!tokens)
      return program.tell(
          fmt::format("ridge serve: the tokens stay as they were: {}\n", tokens.why().text()));
    running.replace_tokens(std::move(tokens).value());
    program.tell("ridge serve: tokens read again\n");
  }

 private:
  [[nodiscard]] std::string stamp() const {
    struct stat status {};
    if (path_.empty() || stat(path_.c_str(), &status) != 0) return {};
    return fmt::format("{} {}.{} {}", status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                       status.st_size);
  }
  std::string path_;
  std::string seen_;
};

void serve_until_interrupted(const app::context& program, const serve_options& o, server::server& running,
                             const api& shared) {
  using namespace std::chrono_literals;
  store_watch watch(shared.stores, running.events());
  watched_tokens tokens(o.token_file);
  for (int turn = 0; !app::interrupted(); ++turn) {
    std::this_thread::sleep_for(50ms);
    if (turn % 5 != 0) continue;
    try {
      watch.look();
      const auto deadline = std::chrono::steady_clock::now() + 500ms;
      shared.changes->search_ahead(
          shared.stores, [&] { return !app::interrupted() && std::chrono::steady_clock::now() < deadline; });
    } catch (const store::store_failure& why) {
      if (turn % 600 == 0) program.tell(fmt::format("ridge serve: {}\n", why.why().text()));
    }
    if (turn % 20 == 0) tokens.look(program, running);
  }
}

int serve(const app::context& program, const serve_options& o) {
  auto chosen = options_of(program, o);
  if (!chosen) return program.refuse(chosen.why(), app::exit_code::usage);
  const auto location = app::store_location(program);
  const bool is_file = store::scheme_of(location).empty();
  store_shelf stores([location] { return app::open_store_at(location); }, is_file ? location : "",
                     [&program](const error& why) {
                       program.tell(fmt::format("ridge serve: {}\n", terminal_escaped(why.text())));
                     });
  { const auto first = stores.borrow(); }  // an error of the store is told now, not to the first page
  answer_cache answers;
  const api shared{stores, answers,
                   [](const std::vector<std::string>& words) { return output_of_program(words); }};
  auto routes = all_routes(shared);
  std::unique_ptr<job_queue> jobs;
  if (o.allow_run) {  // Runs find the store so and not in their command line, which other users can read: a
                      // URL may hold a password.
    setenv("RIDGE_STORE", location.c_str(), 1);
    jobs = std::make_unique<job_queue>(shared.events);
    for (auto& one : job_routes(*jobs, suites_of(program))) routes.push_back(std::move(one));
  }
  server::service offered{.title = "ridge",
                          .version = std::string(app::version()),
                          .routes = std::move(routes),
                          .assets = pages(),
                          .events = shared.events};
  offered.gauges = [&stores] {
    return std::vector<server::gauge>{
        {"ridge_store_bytes", "Bytes of the files of the store", static_cast<double>(stores.bytes())}};
  };
  const app::interrupt_guard guard;
  auto started = server::server::start(*chosen, std::move(offered));
  if (!started) return program.refuse(started.why(), app::exit_code::unavailable);
  auto& running = **started;
  program.print(fmt::format("{}\n", address_of(o, *chosen, running.port())));
  program.tell(fmt::format("serving {}; Ctrl-C stops\n", terminal_escaped(store::place_of(location))));
  serve_until_interrupted(program, o, running, shared);
  if (jobs) jobs->end();  // their last events are written before the streams end
  running.stop();
  return app::exit_code::good;
}

}  // namespace

void add_serve(app::command& parent, app::context& program) {
  auto o = std::make_shared<serve_options>();
  parent.add("serve", "Serve stored results, analyses and pages over HTTP to this machine")
      .option("--port", o->port, "N", "Port to listen on, 0 for any that is free (8100)")
      .option("--address", o->address, "IP",
              "Address to listen on (127.0.0.1 and ::1); others need --behind-proxy")
      .option("--socket", o->socket, "PATH", "Listen on a Unix socket for this user alone instead")
      .option("--token-file", o->token_file, "FILE",
              "Take tokens from this file, or draw one into it where it is missing; lines are `TOKEN "
              "[read|write|run|admin "
              "[YYYY-MM-DD]]`")
      .flag("--no-token", o->no_token, "Ask for no token: everybody on this machine may read and annotate")
      .flag("--allow-run", o->allow_run, "Let pages and programs start runs of this program's experiments")
      .option("--allowed-host", o->allowed_hosts, "HOST",
              "Also answer to this Host, as a proxy sends it (repeats)")
      .flag("--behind-proxy", o->behind_proxy, "A proxy ends TLS in front of this server; needs --token-file")
      .option("--threads", o->threads, "N", "Threads that answer requests (4)")
      .notes(
          "Prints the address with a token that is good until the server ends; the page exchanges it for a "
          "cookie. Programs "
          "send `Authorization: Bearer TOKEN`. /openapi.json describes every request, /metrics serves "
          "Prometheus. "
          "docs/guide/serve.md")
      .runs([&program, o] { return serve(program, *o); });
}

}  // namespace ridge::app_serve
