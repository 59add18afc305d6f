import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

const MAX_LOGO_BYTES = 256 * 1024

export interface Logo {
  type: 'image/svg+xml' | 'image/png' | 'image/webp'
  bytes: Buffer
  /** Changes with the content. */
  version: string
  /** Width and height in pixels, as in a manifest; `any` for an SVG, `null` if unsuitable as an icon. */
  iconSize: string | null
}

/** A file is not a usable logo; the message contains the reason. */
export class NoLogo extends Error {}

/** @throws {NoLogo} if the file is not a usable logo. */
export async function readLogo(path: string): Promise<Logo> {
  const bytes = await readBounded(path)
  const type = typeOf(bytes)
  if (!type) throw new NoLogo('it must be an SVG, a PNG or a WebP')
  return { type, bytes, version: createHash('sha256').update(bytes).digest('hex').slice(0, 16), iconSize: iconSizeOf(type, bytes) }
}

async function readBounded(path: string): Promise<Buffer> {
  const file = await open(path).catch(() => {
    throw new NoLogo('it cannot be read')
  })
  try {
    const { size } = await file.stat()
    if (size > MAX_LOGO_BYTES) throw new NoLogo('it may have 256 kB at most')
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Detects the type from the content; ignores the file name. */
function typeOf(bytes: Buffer): Logo['type'] | null {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  return /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!doctype[^>]*>\s*)*<svg[\s>]/i.test(bytes.toString('utf8'))
    ? 'image/svg+xml'
    : null
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const LEAST_ICON_PX = 192

function iconSizeOf(type: Logo['type'], bytes: Buffer): string | null {
  if (type === 'image/svg+xml') return 'any'
  if (type !== 'image/png' || bytes.length < 24) return null
  // The first chunk of a PNG is its header: width and height, 4 bytes each.
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return width === height && width >= LEAST_ICON_PX ? `${width}x${height}` : null
}
