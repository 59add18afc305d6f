import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { openDatabase } from '../../src/server/store/engine/open-database.ts'
import { runStatement } from '../../test/support/postgres.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Days over which the chats are spread evenly, oldest first. */
const SPREAD_DAYS = 60
const CHATS_OF_A_VISITOR = 2
const PROMPTS_OF_A_CHAT = 1
/** 100 and 600 characters of text, as a short question and its answer. */
const PROMPT_PARTS = `'[{"type":"text","text":"' || hex(randomblob(50)) || '"}]'`
const ANSWER_PARTS = `'[{"type":"text","text":"' || hex(randomblob(300)) || '"}]'`

/** Fills a new embedded database in `directory` with chats of one prompt and its answer, the last one active at `now`, two of each visitor. */
export async function storeChats(directory: string, chats: number, now: number, ofVisitor = CHATS_OF_A_VISITOR): Promise<void> {
  await (await openDatabase({ kind: 'sqlite', directory }, () => undefined)).destroy()
  const database = new DatabaseSync(join(directory, 'parley.db'))
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -1000000', 'temp_store = MEMORY'])
    database.exec(`PRAGMA ${pragma}`)
  // Indexes are built faster at the end.
  const indexes = database.prepare("select name, sql from sqlite_master where type = 'index' and sql is not null").all()
  for (const { name } of indexes) database.exec(`drop index "${String(name)}"`)
  database.exec(rowsOf(chats, now, ofVisitor))
  for (const index of indexes) database.exec(String(index['sql']))
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
}

function rowsOf(chats: number, now: number, ofVisitor: number): string {
  const visitors = Math.ceil(chats / ofVisitor)
  return `
    begin;
    create temp table visitor as
      with recursive number (n) as (values (0) union all select n + 1 from number where n < ${visitors - 1})
      select n, 'v_' || lower(hex(randomblob(11))) as id, ${timeOf(`n * ${ofVisitor}`, chats, now)} as at from number;
    create unique index temp.visitor_by_number on visitor (n);
    create temp table chat as
      with recursive number (n) as (values (0) union all select n + 1 from number where n < ${chats - 1})
      select number.n, 's' || hex(randomblob(10)) as id, visitor.id as owner,
        ${timeOf('number.n', chats, now)} as at
      from number join visitor on visitor.n = number.n / ${ofVisitor};
    insert into visitors (id, created_at) select id, at from visitor order by n;
    insert into visitor_keys (key_hash, visitor_id, created_at) select lower(hex(randomblob(32))), id, at from visitor order by n;
    create temp table prompt as
      select chat.id as session, chat.at, number.n, 't_' || hex(randomblob(10)) as turn, 'm_' || hex(randomblob(10)) as id
      from chat, (${numbersTo(PROMPTS_OF_A_CHAT)}) as number order by chat.n, number.n;
    insert into sessions (id, owner, agent, title, open_by_id, leaf, created_at, updated_at)
      select id, owner, 'assistant', 'How long are my chats kept?', 0, ${2 * PROMPTS_OF_A_CHAT}, at, at from chat order by n;
    insert into messages (id, session_id, position, parent, role, turn_id, parts, metadata, created_at)
      select case role when 'user' then id else 'm_' || hex(randomblob(10)) end, session, 2 * n + (role = 'assistant') - 1,
        2 * n + (role = 'assistant') - 2, role, case role when 'user' then null else turn end,
        case role when 'user' then ${PROMPT_PARTS} else ${ANSWER_PARTS} end, '{}', at
      from prompt, (select 'user' as role union all select 'assistant') order by prompt.rowid, role desc;
    insert into turns (id, session_id, prompt_id, status, state, instance, started_at, ended_at)
      select turn, session, id, 'done', 'answered', 'bench', at, at from prompt order by rowid;
    drop table temp.prompt;
    drop table temp.chat;
    drop table temp.visitor;
    commit`
}

function timeOf(number: string, chats: number, now: number): string {
  return `(${now - SPREAD_DAYS * DAY_MS} + cast(${number} * ${(SPREAD_DAYS * DAY_MS) / chats} as integer))`
}

function numbersTo(last: number): string {
  return Array.from({ length: last }, (_, index) => `select ${index + 1} as n`).join(' union all ')
}

/** The same in a new PostgreSQL database. */
export async function storeChatsInPostgres(url: string, chats: number, now: number, ofVisitor = CHATS_OF_A_VISITOR): Promise<void> {
  await (await openDatabase({ kind: 'postgres', url, connections: 2, timeoutMs: 20_000 }, () => undefined)).destroy()
  const at = (number: string) => `(${now - SPREAD_DAYS * DAY_MS} + ((${number})::bigint * ${(SPREAD_DAYS * DAY_MS) / chats})::bigint)`
  const random = (bytes: number) => `left(repeat(md5(random()::text), ${Math.ceil(bytes / 16)}), ${bytes * 2})`
  const parts = (bytes: number) => `'[{"type":"text","text":"' || ${random(bytes)} || '"}]'`
  const series = (last: number) => `generate_series(0, ${last - 1}) as n`
  await runStatement(
    url,
    `
    create temp table visitor as select n, 'v_' || md5(n::text) as id, ${at(`n * ${ofVisitor}`)} as at from ${series(Math.ceil(chats / ofVisitor))};
    create unique index on visitor (n);
    create temp table chat as select number.n, 's' || md5('s' || number.n) as id, visitor.id as owner, ${at('number.n')} as at,
      't_' || md5('t' || number.n) as turn, 'm_' || md5('m' || number.n) as prompt
      from ${series(chats).replace('as n', 'as number (n)')} join visitor on visitor.n = number.n / ${ofVisitor};
    insert into visitors (id, created_at) select id, at from visitor;
    insert into visitor_keys (key_hash, visitor_id, created_at) select md5(id) || md5(n::text), id, at from visitor;
    insert into sessions (id, owner, agent, title, open_by_id, leaf, created_at, updated_at)
      select id, owner, 'assistant', 'How long are my chats kept?', 0, 2, at, at from chat;
    insert into messages (id, session_id, position, parent, role, turn_id, parts, metadata, created_at)
      select prompt, id, 1, 0, 'user', null, ${parts(50)}, '{}', at from chat
      union all select 'a' || prompt, id, 2, 1, 'assistant', turn, ${parts(300)}, '{}', at from chat;
    insert into turns (id, session_id, prompt_id, status, state, instance, started_at, ended_at)
      select turn, id, prompt, 'done', 'answered', 'bench', at, at from chat;
    analyze`,
  )
}
