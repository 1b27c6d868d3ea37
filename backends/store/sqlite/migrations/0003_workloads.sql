-- SPDX-License-Identifier: Apache-2.0
-- Results across runs: what is comparable, what is followed from run to run, and what was said of its changes.
-- The rows of older families are entered by the program (history_rows.cpp).
CREATE TABLE workload (
  id         INTEGER PRIMARY KEY,
  machine    TEXT NOT NULL,
  experiment TEXT NOT NULL,
  backend    TEXT NOT NULL,
  problem    TEXT NOT NULL,
  axes       TEXT NOT NULL,  -- ridge.axes/1
  title      TEXT NOT NULL,
  goal       TEXT NOT NULL,
  flop       REAL NOT NULL,
  bytes      REAL NOT NULL,
  items      REAL NOT NULL,
  families   INTEGER NOT NULL,
  latest     INTEGER NOT NULL  -- its newest family
) STRICT;
CREATE UNIQUE INDEX workload_key ON workload (experiment, machine, backend, problem);

CREATE TABLE history_series (
  id       INTEGER PRIMARY KEY,
  workload INTEGER NOT NULL REFERENCES workload (id) ON DELETE CASCADE,
  variant  TEXT NOT NULL,
  metric   TEXT NOT NULL,
  role     TEXT NOT NULL,
  unit     TEXT NOT NULL,
  better   TEXT NOT NULL,
  clock    TEXT NOT NULL,
  points   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX history_series_key ON history_series (workload, variant, metric);

-- Null stands for a number that was not seen. The points of a series lie side by side.
CREATE TABLE measurement (
  series      INTEGER NOT NULL REFERENCES history_series (id) ON DELETE CASCADE,
  run         TEXT NOT NULL,
  family      INTEGER NOT NULL REFERENCES family (id) ON DELETE CASCADE,
  ordinal     INTEGER NOT NULL,  -- place in the family
  started     TEXT NOT NULL,
  environment INTEGER NOT NULL REFERENCES document (id),
  median      REAL,
  lo          REAL,
  hi          REAL,
  samples     INTEGER NOT NULL,
  memory      REAL,
  arrays      REAL NOT NULL,
  energy      REAL,
  flop        REAL NOT NULL,
  bytes_moved REAL NOT NULL,
  items       REAL NOT NULL,
  of_ceiling  REAL,
  ceiling     TEXT NOT NULL,
  bound       TEXT NOT NULL,
  abs_error   REAL,
  rel_error   REAL,
  PRIMARY KEY (series, run, family)
) STRICT, WITHOUT ROWID;
CREATE INDEX measurement_of_family ON measurement (family, ordinal);

CREATE TABLE change_note (
  id     INTEGER PRIMARY KEY,
  series INTEGER NOT NULL REFERENCES history_series (id) ON DELETE CASCADE,
  run    TEXT NOT NULL,
  state  TEXT NOT NULL,
  note   TEXT NOT NULL,
  stated TEXT NOT NULL
) STRICT;
CREATE INDEX change_note_of_series ON change_note (series, run, id);
