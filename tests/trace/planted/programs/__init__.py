# SPDX-License-Identifier: Apache-2.0
"""PyTorch programs, each with one planted fault and its mended twin; ../labels.json says what is wrong in which.

Functions, classes and modules are named as users name them, the same in both twins, because their names land in the traces.
"""
import importlib

FAMILIES = ("language_model", "vision", "diffusion", "recommender", "decoding", "experts", "recurrent", "encoder",
            "images", "signals", "tabular", "text", "serving", "simulation",
            "detection", "generation", "photos", "retrieval", "finetuning", "assistants", "series")


def load_programs():
    """id: function(setting, fault) that builds a model and gives step(i). Imports PyTorch."""
    programs = {}
    for family in FAMILIES:
        programs.update(importlib.import_module(f"{__name__}.{family}").PROGRAMS)
    return programs


def load_remedies():
    """id: function(setting) of mended programs in which an alarm was followed. Imports PyTorch."""
    return importlib.import_module(f"{__name__}.remedies").REMEDIES
