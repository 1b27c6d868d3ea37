// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/app.hpp>
#include <ridge/harness/experiment_list.hpp>

int main(int argc, char** argv) { return ridge::app::main(argc, argv, ridge::experiments::all()); }
