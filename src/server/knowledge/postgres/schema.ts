/**
 * The tables of the shared index, in a schema of their own: they are derived from the files, so the first process makes them and they
 * may be dropped at any time; tables of an earlier form are. The lock keeps processes that start together from making them twice. The
 * table of vectors is made later, once their dimension is known: see `shared-vectors.ts`.
 */
export const SCHEMA = `
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('parley_knowledge'));
DO $$ BEGIN
  IF to_regclass('parley_knowledge.passages') IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_attribute WHERE attrelid = to_regclass('parley_knowledge.passages') AND attname = 'content_hash'
  ) THEN DROP SCHEMA parley_knowledge CASCADE; END IF;
END $$;
CREATE SCHEMA IF NOT EXISTS parley_knowledge;
CREATE TABLE IF NOT EXISTS parley_knowledge.state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  identity text NOT NULL DEFAULT '',
  synonyms text NOT NULL DEFAULT '',
  generation bigint NOT NULL DEFAULT 0,
  passages bigint NOT NULL DEFAULT 0,
  total_length bigint NOT NULL DEFAULT 0,
  vector_identity text NOT NULL DEFAULT '',
  vector_dimensions integer NOT NULL DEFAULT 0,
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
  content_hash text COLLATE "C" NOT NULL,
  length integer NOT NULL,
  terms tsvector NOT NULL,
  PRIMARY KEY (file, ordinal)
);
CREATE INDEX IF NOT EXISTS passages_by_term ON parley_knowledge.passages USING gin (terms);
CREATE INDEX IF NOT EXISTS passages_by_id ON parley_knowledge.passages (id);
CREATE INDEX IF NOT EXISTS passages_by_content ON parley_knowledge.passages (content_hash);
CREATE TABLE IF NOT EXISTS parley_knowledge.terms (
  term text COLLATE "C" PRIMARY KEY,
  frequency integer NOT NULL
);
COMMIT;
`
