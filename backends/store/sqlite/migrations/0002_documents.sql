-- SPDX-License-Identifier: Apache-2.0
-- Environments and ceilings are the same for most runs of a machine: each text is kept once.
CREATE TABLE document (
  id   INTEGER PRIMARY KEY,
  body TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO document (body) SELECT environment FROM run UNION SELECT peak FROM run;

ALTER TABLE run ADD COLUMN environment_id INTEGER REFERENCES document (id);
ALTER TABLE run ADD COLUMN peak_id INTEGER REFERENCES document (id);
UPDATE run SET environment_id = (SELECT id FROM document WHERE body = run.environment),
               peak_id = (SELECT id FROM document WHERE body = run.peak);
ALTER TABLE run DROP COLUMN environment;
ALTER TABLE run DROP COLUMN peak;
