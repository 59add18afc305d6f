import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { join } from 'node:path'
import type { ChatMessage } from '../../src/contract/message.ts'
import { openDatabase } from '../../src/server/store/open-database.ts'
import { endTurn } from '../../src/server/store/turn-ends.ts'
import { insertPrompt } from '../../src/server/store/turns.ts'

interface RecordedStatement {
  sql: string
  parameters: SQLInputValue[]
  reads: boolean
}

/** Placeholder in recorded ids for the number of the prompt. */
const NUMBER = '#'

/**
 * Every statement, transactions included, that the store executes for one prompt in a new session and for its answer, as written to
 * a fresh database in `directory`. Recorded from the store itself, so that they cannot diverge.
 */
export async function recordStatements(directory: string): Promise<RecordedStatement[]> {
  const database = await openDatabase({ kind: 'sqlite', directory }, (error) => {
    throw error
  })
  const recorded: RecordedStatement[] = []
  const stop = recordInto(recorded)
  try {
    const [id, session] = [`t_${NUMBER}`, `session ${NUMBER}`]
    const message: ChatMessage = { id: `m_${NUMBER}`, role: 'user', parts: [{ type: 'text', text: 'Say hello, please.' }] }
    const newSession = { id: session, owner: 'owner', agent: 'assistant', title: 'Say hello, please.', openById: false }
    await insertPrompt(database, {
      id,
      instance: 'bench',
      now: 1,
      claim: null,
      reservationsFor: () => [],
      count: async () => undefined,
      message,
      continues: null,
      newSession,
      newVisitor: null,
    })
    const answer: ChatMessage = {
      id: `a_${NUMBER}`,
      role: 'assistant',
      parts: [{ type: 'text', text: 'Hello.' }],
      metadata: { turnId: id },
    }
    await endTurn(database, id, { status: 'done', code: null, state: 'answered', usage: null, answer }, 2)
  } finally {
    stop()
    await database.destroy()
  }
  return recorded
}

/** A plain connection to the database in `directory` with the same settings, and a function that runs the statements of the n-th prompt. */
export function bareWriter(directory: string, statements: RecordedStatement[]): { write(prompt: number): void; close(): void } {
  const database = new DatabaseSync(join(directory, 'parley.db'))
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'secure_delete = ON'])
    database.exec(`PRAGMA ${pragma}`)
  const prepared = statements.map((statement) => ({ ...statement, statement: database.prepare(statement.sql) }))
  return {
    write(prompt) {
      for (const { statement, parameters, reads } of prepared) {
        const values = parameters.map((value) => (typeof value === 'string' ? value.replaceAll(NUMBER, String(prompt)) : value))
        if (reads) statement.all(...values)
        else statement.run(...values)
      }
    },
    close: () => database.close(),
  }
}

function recordInto(recorded: RecordedStatement[]): () => void {
  const original = DatabaseSync.prototype.prepare
  DatabaseSync.prototype.prepare = function prepare(sql: string): StatementSync {
    const statement = original.call(this, sql)
    for (const method of ['run', 'all'] as const) {
      const execute = statement[method].bind(statement) as unknown as (...parameters: SQLInputValue[]) => never
      statement[method] = (...parameters: unknown[]) => {
        recorded.push({ sql, parameters: parameters as SQLInputValue[], reads: method === 'all' })
        return execute(...(parameters as SQLInputValue[]))
      }
    }
    return statement
  }
  return () => {
    DatabaseSync.prototype.prepare = original
  }
}
