import { join, resolve } from 'node:path'
import { z } from 'zod'
import { text, wholeNumber } from './setting-schemas.ts'

export const BACKUP_ENVIRONMENT = {
  ERASURE_LEDGER: text
    .optional()
    .describe(
      'Folder for the ledger of erasures, which keeps deletions in force after a restore; `DATA_DIR/erasures` if unset. Processes that share a database must share it.',
    ),
  BACKUP_DAYS: wholeNumber(1, 3650)
    .default(90)
    .describe('How many days you keep backups: entries of the ledger of erasures are deleted when they are older.'),
  BACKUP_PASSPHRASE: text
    .pipe(z.string().min(12, 'must have at least 12 characters'))
    .optional()
    .describe(
      'Passphrase that seals the installation key in backups, and opens it for a restore. `parley backup` asks for it on a terminal if unset.',
    ),
}

export function ledgerSettings({ ERASURE_LEDGER, BACKUP_DAYS }: z.infer<z.ZodObject<typeof BACKUP_ENVIRONMENT>>, dataDirectory: string) {
  return { directory: ERASURE_LEDGER === undefined ? join(dataDirectory, 'erasures') : resolve(ERASURE_LEDGER), days: BACKUP_DAYS }
}
