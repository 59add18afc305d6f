import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SettingsError } from '../../config/config.ts'
import { ProcessSlots } from '../../turns/process-slots.ts'
import { writeArchive } from './archive.ts'
import type { BackupContext } from './backup-context.ts'
import { runRestore } from './run-restore.ts'
import { proofOfKey } from './seal-key.ts'

const KEY = 'Tq7mR2xLw9pX4zB8vN3cJ6hF1dG5sK0a'
const OTHER = 'a0Ks5Gd1Fh6Jc3Nv8Bz4Xp9wLx2Rm7qT'

let directory: string
let context: BackupContext
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parley-restore-'))
  context = {
    settings: {
      database: { kind: 'sqlite', directory },
      dataDirectory: directory,
      installationKey: null,
      previousKey: null,
      ledger: { directory: join(directory, 'erasures'), days: 35 },
      backupPassphrase: null,
    },
    release: '0.1.0',
    now: () => 1_800_000_000_000,
    ask: async () => KEY,
    report: () => undefined,
  }
  const header = { createdAt: '2026-11-30T00:00:00.000Z', release: '0.1.0', database: 'sqlite' as const, migrations: ['0001'], rows: {} }
  await writeArchive(
    join(directory, 'a.backup'),
    { format: 'parley-backup-1', ...header, keyProof: proofOfKey(KEY), key: null },
    Readable.from([]),
  )
})
afterEach(() => rmSync(directory, { recursive: true }))

const keyFile = () => join(directory, 'installation.key')
const restoreKey = () => runRestore(['--key-only', join(directory, 'a.backup')], context)

test('keeps another installation key, and says where', async () => {
  writeFileSync(keyFile(), `${OTHER}\n`, { mode: 0o600 })
  const { output } = await restoreKey()
  expect(readFileSync(keyFile(), 'utf8')).toBe(`${KEY}\n`)
  const kept = `${keyFile()}.until-1800000000000`
  expect(readFileSync(kept, 'utf8')).toBe(`${OTHER}\n`)
  expect(output).toContain(kept)
})

test('leaves the right installation key as it is', async () => {
  writeFileSync(keyFile(), `${KEY}\n`, { mode: 0o600 })
  await restoreKey()
  expect(readdirSync(directory).toSorted()).toEqual(['a.backup', 'installation.key'])
})

test('restores no installation key while a server runs', async () => {
  writeFileSync(keyFile(), `${OTHER}\n`, { mode: 0o600 })
  const slots = await ProcessSlots.take(directory)
  await expect(restoreKey()).rejects.toThrow(SettingsError)
  slots.release()
  expect(readFileSync(keyFile(), 'utf8')).toBe(`${OTHER}\n`)
})
