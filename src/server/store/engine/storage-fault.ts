/** A storage fault as reported to visitors. */
export type StorageFault = 'storage_full' | 'storage_unavailable'

/** https://sqlite.org/rescode.html#full, and #ioerr_shmsize: no room for the index of the write-ahead log. */
const SQLITE_FULL = 13
const SQLITE_IOERR_SHMSIZE = 4874
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_DISK_FULL = '53100'
const NO_ROOM = ['ENOSPC', 'EDQUOT', POSTGRES_DISK_FULL]
/** Errors of a disk that refuses to write or sync. */
const DISK_FAULTS = ['EIO', 'EROFS']
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
/** Messages of `pg` for lost or failed connections, which have no codes. */
const CONNECTION_LOST = /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered))/

/** The storage fault of an error from SQLite, PostgreSQL or the connection; null for other errors. */
export function storageFaultOf(error: unknown): StorageFault | null {
  if (!(error instanceof Error)) return null
  const { code = '', errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  if (errcode === SQLITE_FULL || errcode === SQLITE_IOERR_SHMSIZE || NO_ROOM.includes(code)) return 'storage_full'
  const isFault =
    code === 'ERR_SQLITE_ERROR' ||
    DISK_FAULTS.includes(code) ||
    NO_CONNECTION.includes(code) ||
    /^[0-9A-Z]{5}$/.test(code) ||
    CONNECTION_LOST.test(error.message)
  return isFault ? 'storage_unavailable' : null
}

/** SQLSTATE classes of connections that fail, a lack of resources, a shutdown, and of a server that only reads. */
const POSTGRES_OUTAGE = /^(?:08|53|57P)|^25006$/
/** Primary result codes: busy, read-only, I/O error, full, cannot open. */
const SQLITE_OUTAGE = [5, 8, 10, 13, 14]
const PRIMARY_CODE = 0xff

/** Whether the whole database is unavailable. */
export function isOutage(error: unknown): boolean {
  if (storageFaultOf(error) === null) return false
  const { code = '', errcode = 0, message } = error as NodeJS.ErrnoException & { errcode?: number }
  if (code === 'ERR_SQLITE_ERROR') return SQLITE_OUTAGE.includes(errcode & PRIMARY_CODE)
  return (
    DISK_FAULTS.includes(code) ||
    NO_CONNECTION.includes(code) ||
    NO_ROOM.includes(code) ||
    POSTGRES_OUTAGE.test(code) ||
    CONNECTION_LOST.test(message)
  )
}
