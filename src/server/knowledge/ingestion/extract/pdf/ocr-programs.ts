import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The programs that read scans, with Debian's packages. */
const PACKAGES = { tesseract: 'tesseract-ocr', pdftoppm: 'poppler-utils' }
/** A process that parses files has no PATH of its own. */
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin']
/** Limit for one program on one page, also on its processor time, which ends it if its parent is killed. */
export const PAGE_TIME_MS = 60_000
/** Limit for all pages of a file. */
export const OCR_TIME_MS = 600_000
const MAX_MEMORY_KB = 1024 * 1024
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const SCRIPT = `ulimit -v ${MAX_MEMORY_KB}; ulimit -t ${PAGE_TIME_MS / 1_000}; exec "$0" "$@"`

const run = promisify(execFile)

/** Returns what a program makes of its input. Rejects if it fails or exceeds a limit on time, memory or output. */
export async function outputOf(program: keyof typeof PACKAGES, args: readonly string[], input: Uint8Array = Buffer.of()): Promise<Buffer> {
  const running = run('/bin/sh', ['-c', SCRIPT, program, ...args], {
    encoding: 'buffer',
    env: { PATH: FOLDERS.join(':'), OMP_THREAD_LIMIT: '1' },
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: PAGE_TIME_MS,
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
