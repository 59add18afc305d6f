import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { runSql } from './run-sql.ts'
import type { TestServer } from './server.ts'

export interface SeededChat {
  title: string
  /** Time of the last activity, in milliseconds since the epoch; now by default. */
  at?: number
  messages: { role: 'user' | 'assistant'; parts: object[] }[]
}

/** Writes chats into the database of a running server as those of a visitor, without a model. Returns their keys. */
export async function seedChats(server: TestServer, owner: string, chats: SeededChat[]): Promise<string[]> {
  const statements: string[] = []
  const keys = chats.map(({ title, at = Date.now(), messages }) => {
    const key = randomBytes(11).toString('hex').slice(0, 21)
    statements.push(
      `INSERT INTO sessions (id, owner, agent, title, open_by_id, leaf, created_at, updated_at) VALUES (${[key, owner, 'assistant', title].map(quoted).join()}, 0, ${messages.length}, ${at}, ${at})`,
    )
    messages.forEach(({ role, parts }, index) => {
      const texts = [`m_${key}${index}`, key, role, JSON.stringify(parts), '{}'].map(quoted).join()
      statements.push(
        `INSERT INTO messages (id, session_id, role, parts, metadata, position, parent, created_at) VALUES (${texts}, ${index + 1}, ${index}, ${at})`,
      )
    })
    return key
  })
  await runSql(server, statements.join(';'))
  return keys
}

/** The same for the visitor of a page, who becomes known to the server first. The page doesn't show them before it is loaded again. */
export async function seedChatsOfPage(server: TestServer, page: Page, chats: SeededChat[]): Promise<string[]> {
  const owner = await page.evaluate(async () => {
    const visitor = async () => (await (await fetch('/api/v1/me')).json()).visitor?.sub as string | undefined
    const known = await visitor()
    if (known !== undefined) return known
    const headers = { 'content-type': 'application/octet-stream' }
    const file = await (await fetch('/api/v1/files?name=a.txt', { method: 'POST', headers, body: 'a' })).json()
    await fetch(`/api/v1/files/${file.id}`, { method: 'DELETE' })
    return (await visitor()) as string
  })
  return seedChats(server, owner, chats)
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
