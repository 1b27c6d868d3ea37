-- SPDX-License-Identifier: Apache-2.0
-- Runs, their families, a row per comparison to search in, and samples as blobs.
PRAGMA application_id = 1380533319;  -- "RIDG"

CREATE TABLE run (
  id          TEXT PRIMARY KEY,
  started     TEXT NOT NULL,
  machine     TEXT NOT NULL,
  profile     TEXT NOT NULL,
  wall_s      REAL,           -- null until the run finished
  header      TEXT NOT NULL,  -- ridge.run/1 without environment, peak and families
  environment TEXT NOT NULL,  -- ridge.environment/1
  peak        TEXT NOT NULL   -- ridge.peak/1
) STRICT;

CREATE TABLE family (
  id         INTEGER PRIMARY KEY,
  run        TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  experiment TEXT NOT NULL,
  body       TEXT NOT NULL    -- ridge.family/1 without samples
) STRICT;
CREATE INDEX family_of_run ON family (run, experiment);

-- Null stands for a number that was not seen.
CREATE TABLE comparison (
  id                   INTEGER PRIMARY KEY,
  family               INTEGER NOT NULL REFERENCES family (id) ON DELETE CASCADE,
  run                  TEXT NOT NULL,
  experiment           TEXT NOT NULL,
  problem              TEXT NOT NULL,
  axes                 TEXT NOT NULL,  -- ridge.axes/1
  backend              TEXT NOT NULL,
  metric               TEXT NOT NULL,
  unit                 TEXT NOT NULL,
  better               TEXT NOT NULL,
  clock                TEXT NOT NULL,
  ratio                REAL,
  lo                   REAL,
  hi                   REAL,
  level                REAL,
  verdict              TEXT NOT NULL,
  judged               INTEGER NOT NULL,
  headline             INTEGER NOT NULL,
  assurance            INTEGER NOT NULL,
  pairs                INTEGER NOT NULL,
  aa_lo                REAL,
  aa_hi                REAL,
  reference            TEXT NOT NULL,
  reference_median     REAL,
  reference_lo         REAL,
  reference_hi         REAL,
  reference_of_ceiling REAL,
  reference_bound      TEXT NOT NULL,
  reference_memory     REAL,
  reference_energy     REAL,
  candidate            TEXT NOT NULL,
  candidate_median     REAL,
  candidate_lo         REAL,
  candidate_hi         REAL,
  candidate_of_ceiling REAL,
  candidate_bound      TEXT NOT NULL,
  candidate_memory     REAL,
  candidate_energy     REAL,
  checks               TEXT NOT NULL   -- ridge.checks/1
) STRICT;
CREATE INDEX comparison_of_experiment ON comparison (experiment, id);
CREATE INDEX comparison_of_family ON comparison (family);

CREATE TABLE series (
  id          INTEGER PRIMARY KEY,
  family      INTEGER NOT NULL REFERENCES family (id) ON DELETE CASCADE,
  measurement INTEGER NOT NULL,  -- place in the family
  ordinal     INTEGER NOT NULL,  -- place in the measurement
  samples     INTEGER NOT NULL,
  data        BLOB NOT NULL      -- ridge/store/sample_blob.hpp
) STRICT;
CREATE INDEX series_of_family ON series (family, measurement, ordinal, samples);
