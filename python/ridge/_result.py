# SPDX-License-Identifier: Apache-2.0
"""What a comparison found."""

import html
import json
import math


def _time(seconds):
    for factor, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
        if seconds >= factor:
            return f"{seconds / factor:.4g} {unit}"
    return f"{seconds:.3g} s"


class Times:
    """The time of one function: the median of a call in seconds, its 95 % interval, and every sample."""

    def __init__(self, name, median, low, high, calls, samples):
        self.name, self.median, self.low, self.high, self.calls, self.samples = name, median, low, high, calls, samples

    def to_dict(self):
        return {"name": self.name, "seconds": self.median, "low": self.low, "high": self.high, "calls": self.calls,
                "samples": len(self.samples)}

    def __repr__(self):
        return f"{self.name}: not timed" if math.isnan(self.median) else f"{self.name}: {_time(self.median)}"


class Comparison:
    """One function against the first one: `ratio` says how many times as fast it is, `low` and `high` are the interval."""

    def __init__(self, reference, candidate, verdict, ratio, low, high):
        self.reference, self.candidate, self.verdict = reference, candidate, verdict
        self.ratio, self.low, self.high = ratio, low, high

    def to_dict(self):
        return dict(self.__dict__)

    def __repr__(self):
        return f"{self.candidate} vs {self.reference}: {self.verdict} {self.ratio:.4g} [{self.low:.4g}, {self.high:.4g}]"


class Result:
    """The result of compare() or measure(). `verdict`, `ratio`, `low` and `high` are those of the second function."""

    def __init__(self, session, names):
        word = lambda i: session.verdict(i)
        number = lambda name, i: session.get("ridge_" + name, i)
        self.times = [
            Times(name, number("seconds", i), number("seconds_low", i), number("seconds_high", i), number("calls", i), session.samples(i))
            for i, name in enumerate(names)]
        self.comparisons = [
            Comparison(names[0], name, word(i), number("ratio", i), number("ratio_low", i), number("ratio_high", i))
            for i, name in enumerate(names) if i > 0]
        self.noise_floor = session.get("ridge_noise_floor")
        self.rounds = session.get("ridge_rounds")
        self.assurance = session.get("ridge_assurance")
        self.assurance_text = session.get("ridge_assurance_text")
        self.invalid_reason = session.get("ridge_invalid_reason")
        self.interrupted = session.interrupted or bool(session.get("ridge_was_stopped"))
        self.summary = session.get("ridge_summary")
        self.json = session.get("ridge_json", 1)
        first = self.comparisons[0] if self.comparisons else None
        self.verdict = first.verdict if first else None
        self.ratio = first.ratio if first else math.nan
        self.low = first.low if first else math.nan
        self.high = first.high if first else math.nan

    @property
    def better(self):
        return self.verdict == "BETTER"

    @property
    def worse(self):
        """Whether any function is worse than the first one."""
        return any(c.verdict == "WORSE" for c in self.comparisons)

    @property
    def invalid(self):
        """Whether an output was wrong."""
        return bool(self.invalid_reason)

    @property
    def run(self):
        """The whole result as a ridge.run/1 document."""
        return json.loads(self.json)

    @property
    def facts(self):
        """How it was measured, by name."""
        return self.run["environment"].get("facts", {})

    @property
    def checks(self):
        """The checks made, as dicts with id, result and evidence."""
        return self.run["families"][0].get("checks", [])

    def to_dict(self):
        return {"verdict": self.verdict, "ratio": self.ratio, "low": self.low, "high": self.high,
                "noise_floor": self.noise_floor, "rounds": self.rounds, "assurance": self.assurance,
                "assurance_text": self.assurance_text, "invalid_reason": self.invalid_reason, "interrupted": self.interrupted,
                "times": [t.to_dict() for t in self.times], "comparisons": [c.to_dict() for c in self.comparisons]}

    def rows(self):
        """One dict per function: its time, and its comparison with the first one."""
        against = {c.candidate: c for c in self.comparisons}
        found = []
        for t in self.times:
            c = against.get(t.name)
            found.append({"name": t.name, "seconds": t.median, "seconds_low": t.low, "seconds_high": t.high,
                          "ratio": c.ratio if c else math.nan, "low": c.low if c else math.nan, "high": c.high if c else math.nan,
                          "verdict": c.verdict if c else "baseline"})
        return found

    def to_frame(self):
        """Returns a pandas DataFrame with one row per function. Raises ImportError where pandas is not installed."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_frame() needs pandas, which is not installed; to_dict() and rows() need nothing") from None
        return pandas.DataFrame(self.rows()).set_index("name")

    def __str__(self):
        return self.summary

    __repr__ = __str__

    def _repr_html_(self):
        """The table that Jupyter shows."""
        cell = lambda text: f"<td style='text-align:left'>{html.escape(text)}</td>"
        known = lambda x, text: "" if math.isnan(x) else text
        lines = []
        for row in self.rows():
            ratio = known(row["ratio"], f"{row['ratio']:.4g}× [{row['low']:.4g}, {row['high']:.4g}]")
            time = known(row["seconds"], f"{_time(row['seconds'])} [{_time(row['seconds_low'])}, {_time(row['seconds_high'])}]")
            lines.append("<tr>" + cell(row["name"]) + cell(time) + cell(ratio) + cell(row["verdict"]) + "</tr>")
        notes = self.invalid_reason or f"{self.rounds} rounds, assurance {self.assurance_text}"
        head = "<tr>" + "".join(f"<th style='text-align:left'>{name}</th>" for name in ("function", "time [95 %]", "ratio [95 %]", "verdict"))
        return f"<table>{head}</tr>{''.join(lines)}</table><small>{html.escape(notes)}</small>"
