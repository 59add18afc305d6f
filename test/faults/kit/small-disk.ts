import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  path: string
  /** Fills the disk; returns a function that frees the space. */
  fill(): () => void
  freeBytes(): number
  remove(): void
}

const PIECE = Buffer.alloc(4096)

/** Mounts a tmpfs of this size. Throws without permission to mount. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0777`, 'tmpfs', path], { stdio: 'pipe' })
  } catch (error) {
    rmSync(path, { recursive: true })
    throw error
  }
  mounted.add(path)
  const ballast = join(path, 'ballast')
  return {
    path,
    fill() {
      fillFile(ballast)
      return () => rmSync(ballast, { force: true })
    },
    freeBytes() {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    },
    remove: () => unmount(path),
  }
}

function fillFile(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, PIECE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

/** Mounts to remove at exit. */
const mounted = new Set<string>()
process.on('exit', () => {
  for (const path of mounted) unmount(path)
})

function unmount(path: string): void {
  if (!mounted.delete(path)) return
  // Lazily, because an ending process may still have files open.
  execFileSync('umount', ['--lazy', path])
  rmSync(path, { recursive: true })
}
