// SPDX-License-Identifier: Apache-2.0
#include "verify/called_variant.hpp"

#include "plan/variant_resources.hpp"

namespace ridge::harness {

called_variant::called_variant(const experiment::definition& definition, std::size_t v, const problem& p,
                               const instruments& equipment, keyed_member& member)
    : definition_(definition),
      v_(v),
      equipment_(equipment),
      member_(member),
      threads_(threads_of(definition.variants[v], p)),
      queues_(queues_of(definition, v, *equipment.device)),
      resources_{*equipment.device, queues_.get(), plan_.team(threads_), threads_},
      setup_(resources_),
      call_(call_resources_of(definition, host_ticks(), resources_)) {}

void called_variant::rehearse() const {
  constexpr std::size_t bytes = std::size_t{1} << 20;
  setup once(resources_);
  (void)once.workspace<std::byte>(bytes);
}

void called_variant::bind() { body_ = definition_.bind(v_, member_.get(), setup_); }

void called_variant::stage() {
  definition_.stage(v_, member_.get(), setup_);
  plan_.place(threads_);
}

void called_variant::run() {
  call_.clear();
  body_->run(call_, 1);
  equipment_.device->synchronize();
}

}  // namespace ridge::harness
