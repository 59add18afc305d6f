/**
 * The tables of the shared index, in a schema of their own: they are derived from the files, so the first process makes them and they
 * may be dropped at any time. The lock keeps processes that start together from making them twice.
 */
export const SCHEMA = `
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('parley_knowledge'));
CREATE SCHEMA IF NOT EXISTS parley_knowledge;
CREATE TABLE IF NOT EXISTS parley_knowledge.state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  identity text NOT NULL DEFAULT '',
  synonyms text NOT NULL DEFAULT '',
  generation bigint NOT NULL DEFAULT 0,
  passages bigint NOT NULL DEFAULT 0,
  total_length bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO parley_knowledge.state DEFAULT VALUES ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS parley_knowledge.documents (
  file text PRIMARY KEY,
  size bigint NOT NULL,
  mtime_ms double precision NOT NULL,
  hash text NOT NULL
);
CREATE TABLE IF NOT EXISTS parley_knowledge.passages (
  file text NOT NULL,
  ordinal integer NOT NULL,
  id text NOT NULL,
  content jsonb NOT NULL,
  length integer NOT NULL,
  terms tsvector NOT NULL,
  PRIMARY KEY (file, ordinal)
);
CREATE INDEX IF NOT EXISTS passages_by_term ON parley_knowledge.passages USING gin (terms);
CREATE INDEX IF NOT EXISTS passages_by_id ON parley_knowledge.passages (id);
CREATE TABLE IF NOT EXISTS parley_knowledge.terms (
  term text COLLATE "C" PRIMARY KEY,
  frequency integer NOT NULL
);
COMMIT;
`
