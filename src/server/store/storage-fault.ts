/** Why the database did not do what it was asked, as a visitor is told. */
export type StorageFault = 'storage_full' | 'storage_unavailable'

/** https://sqlite.org/rescode.html#full, and #ioerr_shmsize: no room for the index of the write-ahead log. */
const SQLITE_FULL = 13
const SQLITE_IOERR_SHMSIZE = 4874
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_DISK_FULL = '53100'
const NO_ROOM = ['ENOSPC', 'EDQUOT', POSTGRES_DISK_FULL]
const NO_CONNECTION = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
]
/** How `pg` says that a connection is gone or was never had; it has no codes for that. */
const CONNECTION_LOST = /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered))/

/** The fault of the database behind an error, if it is one: SQLite's, PostgreSQL's (codes of five characters), or of the way there. */
export function storageFaultOf(error: unknown): StorageFault | null {
  if (!(error instanceof Error)) return null
  const { code = '', errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  if (errcode === SQLITE_FULL || errcode === SQLITE_IOERR_SHMSIZE || NO_ROOM.includes(code)) return 'storage_full'
  const isFault =
    code === 'ERR_SQLITE_ERROR' || NO_CONNECTION.includes(code) || /^[0-9A-Z]{5}$/.test(code) || CONNECTION_LOST.test(error.message)
  return isFault ? 'storage_unavailable' : null
}
