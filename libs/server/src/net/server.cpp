// SPDX-License-Identifier: Apache-2.0
#include <ridge/server/server.hpp>

#include <utility>

#include <unistd.h>

#include "net/engine.hpp"

namespace ridge::server {

server::server(std::unique_ptr<engine> running) : engine_(std::move(running)) {}

server::~server() = default;

result<std::unique_ptr<server>> server::start(const options& chosen, service offered) {
  if (auto checked = accepted(chosen); !checked) return checked.why();
  auto running = std::make_unique<engine>(chosen, std::move(offered));
  auto sockets = listen_on(chosen);
  if (!sockets) return sockets.why();
  if (auto started = running->start(*sockets); !started) return started.why();
  return std::unique_ptr<server>(new server(std::move(running)));
}

std::uint16_t server::port() const { return engine_->port; }

event_hub& server::events() { return engine_->hub; }

void server::replace_tokens(const std::vector<access_token>& tokens) { engine_->book.replace(tokens); }

void server::stop() { engine_->stop(); }

}  // namespace ridge::server
