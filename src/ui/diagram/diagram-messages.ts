/** Longer sources are not drawn. Models write about a fifth of it. */
export const MAX_SOURCE_CHARACTERS = 10_000
/** Diagrams with more edges are not drawn, because layout takes quadratic time. */
export const MAX_EDGES = 300
/** A larger drawing is not shown. */
export const MAX_SVG_CHARACTERS = 600_000
export const MAX_SIDE_PX = 6_000
export const MAX_NAME_CHARACTERS = 500

export interface DrawRequest {
  type: 'draw'
  number: number
  source: string
  isDark: boolean
}

/** An SVG document, its size at scale 1, and its title, if any. */
export interface Picture {
  svg: string
  widthPx: number
  heightPx: number
  name: string
}

/** Messages of the frame: that it is ready, and one reply per request. */
export type FrameMessage =
  | { type: 'ready' }
  | { type: 'drawn'; number: number; picture: Picture }
  | { type: 'rejected'; number: number; reason: 'unreadable' | 'too-large' }

/** Parses a request; undefined for anything else. */
export function readRequest(data: unknown): DrawRequest | undefined {
  if (!has(data, 'type', 'number', 'source', 'isDark') || data['type'] !== 'draw') return undefined
  const isRight = isNumber(data['number']) && isText(data['source'], MAX_SOURCE_CHARACTERS) && typeof data['isDark'] === 'boolean'
  return isRight ? (data as unknown as DrawRequest) : undefined
}

/** Parses a message of the untrusted frame; undefined for anything else. */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  return isReady(data) || isDrawn(data) || isRefused(data) ? (data as FrameMessage) : undefined
}

const isReady = (data: unknown): boolean => has(data, 'type') && data['type'] === 'ready'

const isDrawn = (data: unknown): boolean =>
  has(data, 'type', 'number', 'picture') && data['type'] === 'drawn' && isNumber(data['number']) && isPicture(data['picture'])

const isRefused = (data: unknown): boolean =>
  has(data, 'type', 'number', 'reason') &&
  data['type'] === 'rejected' &&
  isNumber(data['number']) &&
  (data['reason'] === 'unreadable' || data['reason'] === 'too-large')

function isPicture(data: unknown): boolean {
  if (!has(data, 'svg', 'widthPx', 'heightPx', 'name')) return false
  const { svg, widthPx, heightPx, name } = data
  return (
    isText(svg, MAX_SVG_CHARACTERS) && svg.startsWith('<svg ') && isSide(widthPx) && isSide(heightPx) && isText(name, MAX_NAME_CHARACTERS)
  )
}

/** Whether the value is an object with exactly these members. */
function has<Name extends string>(data: unknown, ...names: Name[]): data is Record<Name, unknown> {
  if (typeof data !== 'object' || data === null) return false
  return Object.keys(data).length === names.length && names.every((name) => Object.hasOwn(data, name))
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value)
const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most && value.isWellFormed()
const isSide = (value: unknown): boolean => isNumber(value) && value > 0 && value <= MAX_SIDE_PX
