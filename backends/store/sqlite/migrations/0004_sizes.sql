-- SPDX-License-Identifier: Apache-2.0
-- What makes queries cost what they return, however many runs the store holds.
CREATE TABLE holding (
  families    INTEGER NOT NULL,
  comparisons INTEGER NOT NULL,
  samples     INTEGER NOT NULL
) STRICT;
INSERT INTO holding SELECT (SELECT COUNT(*) FROM family), (SELECT COUNT(*) FROM comparison),
                           (SELECT COALESCE(SUM(samples), 0) FROM series);

CREATE INDEX family_of_experiment ON family (experiment, run);
CREATE INDEX comparison_of_candidate ON comparison (experiment, candidate, id);
CREATE INDEX comparison_of_problem ON comparison (experiment, problem, id);
