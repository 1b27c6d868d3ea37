# SPDX-License-Identifier: Apache-2.0
"""Stands in for triton.language: one program with one lane."""

constexpr = int


def program_id(axis):
    return 0


def arange(begin, end):
    return begin


def load(pointer, mask):
    return pointer.tensor.value if mask else None


def store(pointer, value, mask):
    if mask:
        pointer.tensor.value = value
