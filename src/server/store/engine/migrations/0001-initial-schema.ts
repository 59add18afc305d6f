import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { STAFF_TABLES } from './0001-staff-tables.ts'

/** The whole schema of SQLite and PostgreSQL. `schema.ts` and the files that it imports document the columns. */
export const initialSchema: Migration = {
  async up(database: Kysely<unknown>) {
    const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter
    // On SQLite, stores short rows in the primary key's tree instead of beside it: fewer pages a write, https://sqlite.org/withoutrowid.html.
    const schema = `${VISITOR_TABLES};\n${STAFF_TABLES}`.replaceAll('/* clustered */', isPostgres ? '' : 'without rowid')
    for (const statement of schema.split(';\n')) await sql.raw(statement).execute(database)
  },
}

/** Statements, separated by semicolons. SQLite stores the bytes of a `bytea` column unchanged. */
const VISITOR_TABLES = `
create table visitors (id text primary key, created_at bigint not null, notices_withdrawn_at bigint);

create table visitor_keys (
  key_hash text primary key,
  visitor_id text not null references visitors (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint,
  sealed_key text
);
create index visitor_keys_of_visitor on visitor_keys (visitor_id);
create index visitor_keys_that_expire on visitor_keys (expires_at) where expires_at is not null;
create index sealed_visitor_keys on visitor_keys (created_at) where sealed_key is not null;

create table accepted_notices (
  id text primary key,
  visitor_id text not null references visitors (id) on delete cascade,
  version text not null,
  accepted_at bigint not null
);
create index accepted_notices_of_visitor on accepted_notices (visitor_id);

create table sessions (
  id text primary key,
  owner text not null,
  agent text not null,
  title text not null,
  open_by_id integer not null,
  temporary integer not null default 0,
  leaf integer not null default 0,
  created_at bigint not null,
  updated_at bigint not null
);
create index sessions_of_owner_in_order on sessions (owner, updated_at, id);
create index sessions_by_activity on sessions (updated_at);
-- A partial index: a new session adds no page to it.
create index temporary_sessions on sessions (updated_at) where temporary = 1;

create table messages (
  id text not null,
  session_id text not null references sessions (id) on delete cascade,
  position integer not null,
  parent integer not null default 0,
  role text not null,
  turn_id text,
  parts text not null,
  metadata text not null,
  created_at bigint not null,
  -- Messages are read by session and in order; a query by id names the session too.
  constraint messages_in_order primary key (session_id, position)
);
create index messages_by_parent on messages (session_id, parent);
create index messages_by_turn on messages (turn_id) where turn_id is not null;

create table feedback (
  session_id text not null references sessions (id) on delete cascade,
  position integer not null,
  thumb text not null,
  reason text,
  given_at bigint not null,
  constraint feedback_of_message primary key (session_id, position),
  constraint feedback_with_message foreign key (session_id, position) references messages (session_id, position) on delete cascade
);
create index feedback_down on feedback (given_at) where thumb = 'down';

create table readable_prompts (
  id text primary key,
  session_id text not null references sessions (id) on delete cascade,
  position integer not null,
  acceptance_id text not null references accepted_notices (id) on delete cascade,
  sent_at bigint not null,
  constraint readable_prompt unique (session_id, position)
);
create index readable_prompts_by_time on readable_prompts (sent_at, id);
create index readable_prompts_of_acceptance on readable_prompts (acceptance_id);

create table reports (
  id text primary key,
  session_id text not null references sessions (id) on delete cascade,
  position integer not null,
  scope text not null,
  messages text not null,
  reason text,
  thumb text,
  created_at bigint not null,
  expires_at bigint not null,
  verdict text,
  fix text,
  revision integer not null default 0,
  constraint report_of_answer unique (session_id, position)
);
create index reports_by_end on reports (expires_at);

create table readings (
  id text primary key,
  session_id text not null references sessions (id) on delete cascade,
  report_id text not null,
  role text not null,
  read_at bigint not null
);
create index readings_of_session on readings (session_id);

create table corrections (
  id text primary key,
  session_id text references sessions (id) on delete cascade,
  position integer,
  source text,
  version text,
  text text not null,
  created_at bigint not null
);
create index corrections_of_session on corrections (session_id);
create index corrections_of_source on corrections (source, version);

create table turns (
  id text primary key,
  session_id text not null references sessions (id) on delete cascade,
  prompt_id text not null,
  status text not null,
  code text,
  state text,
  agent_hash text,
  policy_hash text,
  knowledge_hash text,
  model text,
  instance text not null,
  started_at bigint not null,
  ended_at bigint,
  stop_requested integer not null default 0,
  reservations text
);
create index turns_of_session on turns (session_id);
-- Enforces that a session runs one turn at a time.
create unique index one_running_turn_a_session on turns (session_id) where status = 'running';
create index turns_not_covered on turns (started_at) where state = 'not_covered';

create table turn_events (
  turn_id text not null references turns (id) on delete cascade,
  first_seq integer not null,
  last_seq integer not null,
  chunks text not null,
  constraint turn_events_in_order primary key (turn_id, first_seq)
) /* clustered */;

create table idempotency_keys (
  scope text not null,
  key_hash text not null,
  request_hash text not null,
  turn_id text not null,
  created_at bigint not null,
  constraint idempotency_key_of_scope primary key (scope, key_hash),
  -- Deferred: a request claims its key before it stores its turn, so that simultaneous repeats wait for the first.
  constraint idempotency_key_of_turn foreign key (turn_id) references turns (id) on delete cascade deferrable initially deferred
);
create index idempotency_keys_of_turn on idempotency_keys (turn_id);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table processes (id text primary key, heartbeat bigint not null);

create table waiting_files (
  id text primary key,
  name text not null,
  media_type text not null,
  size bigint not null,
  created_at bigint not null,
  text text,
  content bytea not null,
  owner text not null
);
create index waiting_files_by_owner on waiting_files (owner, created_at);
create index waiting_files_by_age on waiting_files (created_at);

create table files (
  id text primary key,
  name text not null,
  media_type text not null,
  size bigint not null,
  created_at bigint not null,
  text text,
  content bytea not null,
  session_id text not null references sessions (id) on delete cascade
);
create index files_by_session on files (session_id);

create table transfers (
  code_hash text primary key,
  visitor_id text not null unique references visitors (id) on delete cascade,
  expires_at bigint not null
);


create table stops (
  id text primary key,
  kind text not null,
  target text not null,
  examples text not null,
  reply text,
  reason text not null,
  created_at bigint not null
);

create table quota_counts (key text primary key, count integer not null, ends_at bigint not null) /* clustered */;
create index quota_counts_by_end on quota_counts (ends_at);

create table budgets (account text primary key, spent bigint not null, reserved bigint not null, ends_at bigint not null);
create index budgets_by_end on budgets (ends_at);

create table adjusted_limits (name text primary key, value double precision not null, changed_at bigint not null, changed_by text not null);

create table used_challenges (random text primary key, expires_at bigint not null);

create table address_salts (day integer primary key, salt text not null);

create table version_texts (hash text primary key, kind text not null, content text not null, seen_at bigint not null);

create table installation_facts (name text primary key, value text not null);

create table daily_figures (
  dimension text not null,
  day text not null,
  value text not null,
  cost double precision not null,
  turns bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  complete bigint not null,
  lost bigint not null,
  not_covered bigint not null,
  up bigint not null,
  down bigint not null,
  constraint daily_figures_key primary key (dimension, day, value)
);

create table daily_visitors (
  day text not null,
  hash text not null,
  network text,
  slots integer not null,
  constraint daily_visitors_key primary key (day, hash)
);

create table daily_topics (day text primary key, topics text not null, outcome text not null);

create table dismissed_topics (id text primary key, dismissed_at bigint not null)
`
