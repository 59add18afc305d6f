export interface Folder {
  /** Folders of `src` whose code is changed together. */
  sources: string[]
  /** API tests that state its rules; unit tests are found by their imports. */
  apiTests: string[]
}

/** What the mutation run may change, by its name on the command line. */
export const FOLDERS: Record<string, Folder> = {
  turns: {
    sources: ['server/turns'],
    apiTests: ['turns', 'chat', 'branches', 'idempotency', 'queue', 'session-events', 'temporary', 'early-leavers'],
  },
  policy: { sources: ['server/policy', 'server/agent/moderation'], apiTests: ['emergency', 'moderation', 'approved-answers', 'routing'] },
  limits: { sources: ['server/limits'], apiTests: ['limits', 'budget', 'queue', 'proof-of-work', 'early-leavers'] },
  visitors: {
    sources: ['server/visitors'],
    apiTests: ['erasure', 'devices', 'export-import', 'history', 'sign-in', 'temporary', 'session-events', 'bad-credentials'],
  },
  store: {
    sources: ['server/store'],
    apiTests: ['history', 'files', 'branches', 'idempotency', 'export-import', 'erasure', 'turns', 'route-access'],
  },
  knowledge: { sources: ['server/knowledge'], apiTests: ['lookups', 'citations', 'knowledge-command', 'shared-knowledge'] },
  'web/state': { sources: ['web/state'], apiTests: [] },
  'web/api': { sources: ['web/api'], apiTests: [] },
}

export function folderNamed(name: string): Folder {
  const folder = FOLDERS[name]
  if (!folder) throw new Error(`There is no folder "${name}" to change: use one of ${Object.keys(FOLDERS).join(', ')}.`)
  return folder
}
