// SPDX-License-Identifier: Apache-2.0
// Work done before the first mark of the call: while its queue is held, on the host, or all the time.
#include <memory>

#include <cuda_runtime_api.h>

#include <ridge/gpu/graph.hpp>

#include "cuda/cuda_questions.hpp"

namespace ridge::cheats::cuda {
namespace {

constexpr int hidden_steps = many_steps / 4 * 3, shown_steps = many_steps - hidden_steps;

void finish(arrays& w, const std::uint32_t* states, queue_handle queue) {
  launch_last_steps(w.source.data(), states, w.target.data(), w.source.size(), shown_steps, queue);
}
void begin(arrays& w, std::uint32_t* states, queue_handle queue) {
  launch_first_steps(w.source.data(), states, w.source.size(), hidden_steps, queue);
}

// Three quarters of the steps on a stream that does not wait for the queue, which is joined.
auto computes_before_its_turn(arrays& made_for, setup& s) {
  return [side = own_stream(), states = s.workspace<std::uint32_t>(made_for.source.size())](arrays& w,
                                                                                            call& c) mutable {
    begin(w, states.data(), side);
    side.join(c.queue());
    finish(w, states.data(), c.queue());
  };
}

// The same, waited for by the host before anything is on the queue.
auto waits_for_its_own_stream(arrays& made_for, setup& s) {
  return [side = own_stream(), states = s.workspace<std::uint32_t>(made_for.source.size())](arrays& w,
                                                                                            call& c) mutable {
    begin(w, states.data(), side);
    side.synchronize();
    finish(w, states.data(), c.queue());
  };
}

// The same where no tracer is loaded.
auto hides_from_the_tracer(arrays& made_for, setup& s) {
  return [side = own_stream(), states = s.workspace<std::uint32_t>(made_for.source.size())](arrays& w,
                                                                                            call& c) mutable {
    if (is_traced()) {
      begin(w, states.data(), c.queue());
    } else {
      begin(w, states.data(), side);
      side.synchronize();
    }
    finish(w, states.data(), c.queue());
  };
}

// The same after so many calls that nobody verifies or audits any more.
auto computes_ahead_after_many_calls(arrays& made_for, setup& s) {
  return [side = own_stream(), states = s.workspace<std::uint32_t>(made_for.source.size())](arrays& w,
                                                                                            call& c) mutable {
    if (is_long_past_verification()) {
      begin(w, states.data(), side);
      side.synchronize();
    } else {
      begin(w, states.data(), c.queue());
    }
    finish(w, states.data(), c.queue());
  };
}

constexpr std::size_t short_source = 256 + 5;
constexpr int host_steps = middling_steps / 4 * 3;

struct host_share {
  ridge::gpu::pinned_memory source{short_source * sizeof(float)},
      states{short_source * sizeof(std::uint32_t)};

  void compute() const {
    for (std::size_t i = 0; i < short_source; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(source.as<float>()[i]);
      auto state = bits;
      for (int k = 0; k < host_steps; ++k) state = mixing_step(state, bits);
      states.as<std::uint32_t>()[i] = state;
    }
  }
  void finish_on(arrays& w, call& c, std::uint32_t* states_there) const {
    cudaMemcpyAsync(states_there, states.data(), states.bytes(), cudaMemcpyHostToDevice, c.queue());
    launch_last_steps(w.source.data(), states_there, w.target.data(), w.source.size(),
                      middling_steps - host_steps, c.queue());
  }
  void fetch(const arrays& w, queue_handle queue) const {
    cudaMemcpyAsync(source.data(), w.source.data(), source.bytes(), cudaMemcpyDeviceToHost, queue);
  }
};

// Three quarters of the steps on the host, while it enqueues.
auto computes_on_the_host(arrays&, setup& s) {
  return [side = own_stream(), share = host_share(), states = s.workspace<std::uint32_t>(short_source)](
             arrays& w, call& c) mutable {
    share.fetch(w, side);
    side.synchronize();
    share.compute();
    share.finish_on(w, c, states.data());
  };
}

// The same in a host function of a stream that does not wait for the queue.
auto computes_in_a_host_function(arrays&, setup& s) {
  return [side = own_stream(), share = std::make_unique<host_share>(),
          states = s.workspace<std::uint32_t>(short_source)](arrays& w, call& c) mutable {
    share->fetch(w, side);
    cudaLaunchHostFunc(
        side, [](void* self) { static_cast<host_share*>(self)->compute(); }, share.get());
    side.join(c.queue());
    share->finish_on(w, c, states.data());
  };
}
template <auto Candidate>
experiment short_on_gpu(const std::string& id) {
  return pose_on_gpu(id, {.elements = short_source, .answer = mixed_oracle<middling_steps>},
                     pair_of<mixed_body<middling_steps>, Candidate>);
}

// A kernel that computes all the time, for at most three seconds, into memory that calls go on from.
auto keeps_a_worker(arrays& made_for, setup& s) {
  return [side = own_stream(), states = s.workspace<std::uint32_t>(made_for.source.size()), at_work = false](
             arrays& w, call& c) mutable {
    if (!at_work) launch_worker(w.source.data(), states.data(), w.source.size(), hidden_steps, 3, side);
    at_work = true;
    finish(w, states.data(), c.queue());
  };
}

// The graph holds the last steps only: the first ones were computed when it was captured.
auto records_the_last_steps_alone(arrays& made_for, setup& s) {
  return [states = s.workspace<std::uint32_t>(made_for.source.size()),
          ready = std::unique_ptr<ridge::gpu::graph>()](arrays& w, call& c) mutable {
    if (!ready) {
      own_stream once;
      begin(w, states.data(), once);
      once.synchronize();
      ready = std::make_unique<ridge::gpu::graph>(
          [&](cudaStream_t recorded) { finish(w, states.data(), recorded); });
    }
    ready->launch(c.queue());
  };
}

}  // namespace

std::vector<cheat> ahead_cheats() {
  const std::vector<std::string> late{"refused", "timed_results", "audit"};
  return {
      {"computes_before_its_turn", "A joined stream begins before the queue has come to the call", gain::time,
       late, "joined_stream", single_on_gpu<computes_before_its_turn>},
      {"waits_for_its_own_stream", "The host waits for a stream of the call before it enqueues the rest",
       gain::time, late, "joined_stream", single_on_gpu<waits_for_its_own_stream>},
      {"hides_from_the_tracer", "Computes ahead of its turn where no tracer is loaded", gain::time, late,
       "joined_stream", single_on_gpu<hides_from_the_tracer>},
      {"computes_ahead_after_many_calls", "Computes ahead of its turn from the thirtieth call on", gain::time,
       late, "joined_stream", single_on_gpu<computes_ahead_after_many_calls>},
      {"computes_on_the_host", "The host computes three quarters while it enqueues", gain::time, late,
       "host_function", short_on_gpu<computes_on_the_host>},
      {"computes_in_a_host_function", "A host function of another stream computes ahead", gain::time, late,
       "host_function", short_on_gpu<computes_in_a_host_function>},
      {"keeps_a_worker",
       "A kernel outside of the calls computes all the time",
       gain::time,
       {"refused", "timed_results", "audit", "left_running"},
       "cooperative_launch",
       single_on_gpu<keeps_a_worker>},
      {"records_the_last_steps_alone",
       "A graph whose first part was computed when it was captured",
       gain::time,
       {"refused", "timed_results"},
       "graph_on_gpu",
       single_on_gpu<records_the_last_steps_alone>},
  };
}

}  // namespace ridge::cheats::cuda
