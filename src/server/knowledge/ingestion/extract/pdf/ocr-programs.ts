import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The programs that read scans, with Debian's packages. */
const PACKAGES = { tesseract: 'tesseract-ocr', pdftoppm: 'poppler-utils' }
/** A process that parses files has no PATH of its own. */
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin']
/** Limit for one program on one page, also on its processor time, which ends it if its parent is killed. */
const PAGE_TIME_MS = 60_000

/** How much of one file is recognised. */
export interface OcrLimits {
  pages: number
  timeMs: number
}
/** Files of the folder, which nobody waits for. */
export const FOLDER_OCR: OcrLimits = { pages: 200, timeMs: 600_000 }
/** Staff wait for their upload, behind proxies that end a request after a minute. */
export const UPLOAD_OCR: OcrLimits = { pages: 20, timeMs: 45_000 }
export const ATTACHMENT_OCR: OcrLimits = { pages: 5, timeMs: 45_000 }
const MAX_MEMORY_KB = 1024 * 1024
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const SCRIPT = `ulimit -v ${MAX_MEMORY_KB}; ulimit -t "$0"; exec "$@"`

const run = promisify(execFile)

/** Returns what a program makes of its input. Rejects if it fails or exceeds a limit on time, memory or output. */
export async function outputOf(
  program: keyof typeof PACKAGES,
  args: readonly string[],
  { input = Buffer.of(), timeMs = PAGE_TIME_MS }: { input?: Uint8Array; timeMs?: number } = {},
): Promise<Buffer> {
  const timeout = Math.max(1, Math.min(PAGE_TIME_MS, Math.ceil(timeMs)))
  const running = run('/bin/sh', ['-c', SCRIPT, `${Math.ceil(timeout / 1_000)}`, program, ...args], {
    encoding: 'buffer',
    env: { PATH: FOLDERS.join(':'), OMP_THREAD_LIMIT: '1' },
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout,
  })
  // A program may end before it has read everything.
  running.child.stdin?.on('error', () => undefined).end(input)
  return (await running).stdout
}

/** Says which programs are missing where scans are to be read, and what to install. */
export function missingOcr({ usesOcr }: { usesOcr: boolean }, folders = FOLDERS): { text: string; change: string }[] {
  const missing = Object.entries(PACKAGES).filter(([program]) => !folders.some((folder) => existsSync(join(folder, program))))
  if (!usesOcr || missing.length === 0) return []
  const programs = missing.map(([program]) => program).join(', ')
  const packages = missing.map(([, name]) => name).join(' ')
  return [
    { text: `OCR=tesseract reads no scans: ${programs} not found in ${folders.join(', ')}.`, change: `Run: apt-get install ${packages}` },
  ]
}
