/** Tables of the initial schema for what staff do: sources, people, managed texts and documents. Statements, separated by semicolons. */
export const STAFF_TABLES = `
create table sources (
  id text primary key,
  active integer,
  pinned integer not null default 0,
  holder text,
  lease_until bigint not null default 0,
  started_at bigint,
  ended_at bigint,
  report text
);

create table source_snapshots (
  source_id text not null references sources (id) on delete cascade,
  number integer not null,
  state text not null,
  definition_hash text not null,
  hash text,
  pages integer not null default 0,
  created_at bigint not null,
  constraint source_snapshots_in_order primary key (source_id, number)
);

create table source_pages (
  source_id text not null,
  snapshot integer not null,
  address text not null,
  state text not null,
  depth integer not null,
  text_hash text,
  held_hash text,
  characters integer not null default 0,
  as_of text,
  etag text,
  last_modified text,
  reason text,
  held_as_of text,
  held_kind text,
  rejected_hash text,
  constraint source_pages_of_snapshot primary key (source_id, snapshot, address),
  constraint source_page_of_snapshot foreign key (source_id, snapshot) references source_snapshots (source_id, number) on delete cascade
);

create table source_texts (
  source_id text not null references sources (id) on delete cascade,
  hash text not null,
  document text not null,
  constraint source_texts_by_hash primary key (source_id, hash)
);

create table staff (
  id text primary key,
  name text not null,
  role text not null,
  created_at bigint not null,
  from_provider integer not null default 0
);

create table staff_sessions (
  hash text primary key,
  staff_id text not null references staff (id) on delete cascade,
  confirmed_at bigint not null,
  expires_at bigint not null
);
create index staff_sessions_of_staff on staff_sessions (staff_id);

create table staff_links (hash text primary key, name text not null, role text not null, expires_at bigint not null);

create table staff_passkeys (
  id text primary key,
  staff_id text not null references staff (id) on delete cascade,
  name text not null,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  created_at bigint not null,
  used_at bigint
);
create index staff_passkeys_of_staff on staff_passkeys (staff_id);

create table staff_tokens (
  id text primary key,
  hash text not null unique,
  name text not null,
  scopes text not null,
  agents text not null,
  collection text,
  caps text not null,
  created_at bigint not null,
  expires_at bigint not null
);

create table webhooks (
  id text primary key,
  url text not null,
  events text not null,
  key_id text not null,
  created_at bigint not null
);

create table webhook_deliveries (
  id text primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  event text not null,
  payload text,
  report_id text references reports (id) on delete cascade,
  state text not null,
  attempts integer not null,
  result text,
  created_at bigint not null,
  next_at bigint not null
);
create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'pending';
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, created_at);
create index webhook_deliveries_of_report on webhook_deliveries (report_id);

create table audit_log (
  number integer primary key,
  at bigint not null,
  actor text not null,
  action text not null,
  target text,
  hash text not null
);

create table managed_texts (
  kind text not null,
  id text not null,
  name text,
  draft text not null,
  draft_revision integer not null,
  draft_by text not null,
  draft_at bigint not null,
  published integer,
  created_at bigint not null,
  cases text not null default '',
  cases_revision integer not null default 0,
  cases_by text,
  cases_at bigint,
  constraint managed_texts_by_id primary key (kind, id),
  constraint managed_texts_by_name unique (kind, name)
);

create table managed_versions (
  kind text not null,
  id text not null,
  number integer not null,
  hash text not null,
  text text not null,
  restores integer,
  published_by text not null,
  published_at bigint not null,
  cases_right integer,
  cases_total integer,
  document text,
  bytes bytea,
  constraint managed_versions_in_order primary key (kind, id, number),
  constraint managed_version_of_text foreign key (kind, id) references managed_texts (kind, id) on delete cascade
);

create table agent_evaluations (
  kind text not null default 'agent',
  agent_id text not null,
  number integer not null,
  text_hash text not null,
  cases_hash text not null,
  status text not null,
  total integer not null,
  asked integer not null default 0,
  right_count integer not null default 0,
  results text not null,
  started_by text not null,
  started_at bigint not null,
  seen_at bigint not null,
  ended_at bigint,
  is_stop_asked integer not null default 0,
  constraint agent_evaluations_key primary key (agent_id, number),
  constraint agent_evaluation_of_text foreign key (kind, agent_id) references managed_texts (kind, id) on delete cascade
)
`
