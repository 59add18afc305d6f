import { OPERATOR, tokenActor } from '../staff/audit.ts'
import type { Database } from '../store/engine/database.ts'
import { listStaff } from '../store/staff/staff.ts'
import { listStaffTokens } from '../store/staff/staff-tokens.ts'

/** Names the people and tokens by whose ids changes are stored. */
export async function readStaffNames(database: Database, now: number): Promise<(by: string) => string> {
  const names = await readActorNames(database, now)
  return (by) => (by === OPERATOR ? 'Operator' : (names.get(by) ?? (by.startsWith(tokenActor('')) ? 'A token' : 'Somebody who has left')))
}

export async function readActorNames(database: Database, now: number): Promise<Map<string, string>> {
  const [staff, tokens] = await Promise.all([listStaff(database), listStaffTokens(database, now)])
  return new Map([...staff, ...tokens.map(({ id, name }) => ({ id: tokenActor(id), name }))].map(({ id, name }) => [id, name]))
}

/** Names who made a change, with its time as text. */
export function stampedBy(nameOf: (by: string) => string) {
  return <Change extends { by: string; at: number }>({ by, at, ...change }: Change) => ({
    ...change,
    by: nameOf(by),
    at: new Date(at).toISOString(),
  })
}
