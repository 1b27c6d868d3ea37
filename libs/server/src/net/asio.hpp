// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/wait_traits.hpp>

// The parts of Asio that the sources of net/ share. Everything runs on the one thread of an io_context, so
// that connections need no locks, and all types name its executor, which spares the calls of a polymorphic
// one.
namespace ridge::server {

namespace asio = boost::asio;

using executor = asio::io_context::executor_type;
using stream_socket = asio::basic_stream_socket<asio::generic::stream_protocol, executor>;
using acceptor_socket = asio::basic_socket_acceptor<asio::generic::stream_protocol, executor>;
using steady_timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                                asio::wait_traits<std::chrono::steady_clock>, executor>;

// What a coroutine of a connection returns.
template <class T>
using task = asio::awaitable<T, executor>;

// The completion token by which `co_await` returns the error code beside the value.
inline constexpr auto awaited = asio::as_tuple(asio::use_awaitable_t<executor>{});

// How work is begun on a pool whose end a coroutine awaits.
struct pool_start {
  asio::thread_pool* pool = nullptr;
  std::function<void()> work{};

  template <class Handler>
  void operator()(Handler&& handler) {
    // The handler can only be moved, and a posted function must hold it until it has run.
    auto shared = std::make_shared<std::decay_t<Handler>>(std::forward<Handler>(handler));
    auto its_executor = asio::get_associated_executor(*shared);
    auto keeps_running = asio::make_work_guard(its_executor);
    asio::post(*pool, [its_work = std::move(work), shared, its_executor, keeps_running]() mutable {
      its_work();
      asio::post(its_executor, [shared] { std::move (*shared)(); });
      keeps_running.reset();
    });
  }
};

// Runs a function on a thread of the pool and resumes the coroutine that awaits it on the coroutine's own
// thread. `work` must not throw; what it refers to must live until then.
[[nodiscard]] inline task<void> on_pool(asio::thread_pool& pool, std::function<void()> work) {
  asio::use_awaitable_t<executor> token;
  return asio::async_initiate<asio::use_awaitable_t<executor>, void()>(pool_start{&pool, std::move(work)},
                                                                       token);
}

}  // namespace ridge::server
