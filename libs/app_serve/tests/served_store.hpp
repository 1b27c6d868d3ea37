// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ridge/app/results_store.hpp>
#include <ridge/base/read_file.hpp>
#include <ridge/base/temporary_folder.hpp>
#include <ridge/model/json.hpp>
#include <ridge/server/server.hpp>

#include "api/api.hpp"

namespace ridge::app_serve {

// Returns a reference run of results/, in which one GPU's experiments were measured.
inline model::run reference_run(
    const std::string& name = "intel-xeon-x16-nvidia-h100-80gb/2026-11-27-6.json") {
  const char* source = std::getenv("RIDGE_SOURCE_DIR");
  const auto folder = source != nullptr ? std::filesystem::path(source) : std::filesystem::current_path();
  const auto text = read_file(folder / "results" / name);
  EXPECT_TRUE(text.ok());
  auto run = model::run_from_json(*text);
  EXPECT_TRUE(run.ok());
  return std::move(run).value();
}

inline void keep(store::store& store, const model::run& run) {
  auto header = run;
  header.families.clear();
  store.begin(header);
  for (const auto& family : run.families) store.commit(run.id, family);
  store.finish(run);
}

// Returns what an analysis must be asked at least: most of them nothing.
inline std::string least_query(const std::string& analysis) {
  return analysis == "whatif" ? "?vram=24" : "?machine=";
}

// What commands print of a machine with one experiment.
inline std::string printed(const std::string& command) {
  if (command == "probe")
    return R"({"schema":"ridge.probe/1","machine":{"kind":"machine","name":"intel-xeon-x16-nvidia-h100-80gb","facts":{},"children":[]}})";
  if (command == "audit") return R"({"schema":"ridge.audit/1","checks":[]})";
  return R"({"schema":"ridge.catalogue/1","experiments":[{"id":"ch01.copy","title":"Copies","question":"?","goal":"speed","tags":["x"],
             "variants":[{"name":"loop","role":"baseline","backend":"cpu","idea":"one","unavailable":""}]},{"id":"ch02.next"}]})";
}

struct http_answer {
  int status = 0;
  std::string header{};
  std::string body{};
  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(body); }
};

// A store in a folder of its own, served without tokens.
class served_store {
 public:
  explicit served_store(const std::vector<model::run>& runs = {reference_run()}) {
    for (const auto& run : runs) keep(*stores_.borrow(), run);
    server::options chosen;
    chosen.open_access = true;
    auto started = server::server::start(
        chosen, {.title = "ridge", .version = "1", .routes = all_routes(shared_), .events = shared_.events});
    EXPECT_TRUE(started.ok());
    if (started.ok()) server_ = std::move(started).value();
  }

  [[nodiscard]] server::server& its() { return *server_; }
  [[nodiscard]] store_shelf& stores() { return stores_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  // Returns what the operator was told of failures of the store.
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }
  [[nodiscard]] api& shared() { return shared_; }

  // Sends one request and returns the whole answer; `fields` are further lines of the header.
  [[nodiscard]] http_answer ask(const std::string& method, const std::string& target,
                                const std::string& body = "", const std::string& fields = "",
                                const std::string& type = "application/json") const {
    const auto host = "127.0.0.1:" + std::to_string(server_->port());
    auto text = method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + fields;
    if (method != "GET") text += "X-Ridge-Request: 1\r\nContent-Type: " + type + "\r\n";
    if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return read(text + "\r\n" + body);
  }
  [[nodiscard]] http_answer get(const std::string& target) const { return ask("GET", target); }

 private:
  [[nodiscard]] http_answer read(const std::string& request) const {
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(send(descriptor, request.data(), request.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(request.size()));
    std::string text;
    char part[65536];
    for (ssize_t count = 0; (count = recv(descriptor, part, sizeof part, 0)) > 0;)
      text.append(part, static_cast<std::size_t>(count));
    close(descriptor);
    const auto end = text.find("\r\n\r\n");
    if (end == std::string::npos) return {};
    return {std::stoi(text.substr(9, 3)), text.substr(0, end), text.substr(end + 4)};
  }

  scratch_folder folder_{"serve"};
  std::string path_ = folder_.path() / "ridge.db";
  std::vector<std::string> failures_{};
  store_shelf stores_{[this] { return app::open_store_at(path_); }, path_,
                      [this](const error& why) { failures_.push_back(why.text()); }};
  answer_cache answers_{};
  api shared_{stores_, answers_, [](const std::vector<std::string>& words) {
                return result<std::string>(printed(words.front()));
              }};
  std::unique_ptr<server::server> server_{};
};

}  // namespace ridge::app_serve
