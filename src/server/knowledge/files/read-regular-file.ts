import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, sep } from 'node:path'

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}

/**
 * The bytes of a regular file of at most `maxBytes`. Throws with a sentence for the operator otherwise. A link is followed to a file of its
 * own folder, as Kubernetes mounts a ConfigMap; other links and pipes are rejected before a byte is read.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const target = await realpath(path)
  if (!isInside(await realpath(dirname(path)), target)) throw new Error('It is a link that leads out of its folder.')
  const handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error('It is not a regular file.')
    if (stats.size > maxBytes) throw new Error(`It is larger than ${Math.round(maxBytes / 1024)} KB.`)
    const bytes = Buffer.alloc(stats.size)
    const { bytesRead } = await handle.read(bytes, 0, stats.size, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The text of such a file. Throws if it is not UTF-8. */
export async function readTextFile(path: string, maxBytes: number): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readRegularFile(path, maxBytes))
}
