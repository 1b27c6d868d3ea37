// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/kernel_launch.hpp>

#include <ridge/base/expects.hpp>

namespace ridge::gpu {

kernel_launch::kernel_launch(dim3 blocks, dim3 threads, cudaStream_t stream, std::size_t shared_bytes) {
  config_.gridDim = blocks;
  config_.blockDim = threads;
  config_.dynamicSmemBytes = shared_bytes;
  config_.stream = stream;
}

kernel_launch& kernel_launch::dependent() {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  add(attribute);
  return *this;
}

kernel_launch& kernel_launch::cluster(dim3 blocks) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = blocks.x;
  attribute.val.clusterDim.y = blocks.y;
  attribute.val.clusterDim.z = blocks.z;
  add(attribute);
  return *this;
}

kernel_launch& kernel_launch::cooperative() {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  add(attribute);
  return *this;
}

// The address of the attributes is set here, so that a copy of this object points to its own.
const cudaLaunchConfig_t* kernel_launch::config() const {
  config_.attrs = attributes_.data();
  return &config_;
}

void kernel_launch::add(const cudaLaunchAttribute& attribute) {
  expects(config_.numAttrs < attributes_.size(), "kernel_launch: each attribute once");
  attributes_[config_.numAttrs++] = attribute;
}

}  // namespace ridge::gpu
