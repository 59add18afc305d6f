import { z } from 'zod'

const Base64 = z.base64url()

/** The first line of a backup. The payload follows, compressed by gzip, and then the SHA-256 of all before it. */
export const BackupHeader = z.strictObject({
  format: z.literal('parley-backup-1'),
  createdAt: z.iso.datetime(),
  release: z.string().max(100),
  /** `sqlite`: the payload is the database's file. `postgres`: one row per line. */
  database: z.enum(['sqlite', 'postgres']),
  /** Names of the applied migrations, in their order. */
  migrations: z.array(z.string().max(200)).min(1).max(10_000),
  rows: z.record(z.string().max(100), z.int().min(0)),
  /** Tells whether an installation key is that of the backup. */
  keyProof: Base64,
  /** The installation key, sealed by a passphrase; `null` if left out. */
  key: z.strictObject({ salt: Base64, nonce: Base64, sealed: Base64 }).nullable(),
})
export type BackupHeader = z.infer<typeof BackupHeader>

/** A line of PostgreSQL's payload: the rows that follow are of this table. */
export const BackupTable = z.strictObject({ table: z.string().max(100) })
