/** What the mutation run may change, by folder of `src`, and the API tests that state its rules; unit tests are found by their imports. */
export const FOLDERS: Record<string, string[]> = {
  'server/turns': ['turns', 'chat', 'branches', 'idempotency', 'queue', 'session-events', 'temporary', 'early-leavers'],
  'server/limits': ['limits', 'budget', 'queue', 'proof-of-work', 'early-leavers'],
  'server/visitors': ['erasure', 'devices', 'export-import', 'history', 'sign-in', 'temporary', 'session-events', 'bad-credentials'],
  'server/store': ['history', 'files', 'branches', 'idempotency', 'export-import', 'erasure', 'turns', 'route-access'],
  'server/knowledge': ['lookups', 'citations', 'knowledge-command', 'shared-knowledge'],
  'web/state': [],
  'web/api': [],
}

/** A folder as it is written on the command line: `turns`, `web/state` or `src/server/turns`. */
export function folderNamed(name: string): string {
  const folder = name.replace(/^src\//, '').replace(/\/$/, '')
  const known = Object.keys(FOLDERS).find((path) => path === folder || path === `server/${folder}`)
  if (!known) throw new Error(`There is no folder "${name}" to change: use one of ${Object.keys(FOLDERS).join(', ')}.`)
  return known
}
