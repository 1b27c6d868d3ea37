# SPDX-License-Identifier: Apache-2.0
# Slots passed between two threads, for the experiments of this chapter; included from their experiment.cmake.
ridge_experiment_part(ch01_hand_over TEST_LABELS threads)
