/** Width and height in CSS pixels. */
export interface Size {
  width: number
  height: number
}

/** Smallest and largest scale. Pictures that are larger than the window still fit. */
const MIN_SCALE = 0.25
const MAX_SCALE = 8

/** One step of the buttons and keys. */
export const STEP = 1.25

/** Largest change by one event of a wheel, which has up to 120 units. */
const MAX_WHEEL = 50
const WHEEL_SPEED = 0.01

/** Share of the room for a text, whose lines and borders don't get thinner with it. */
const LINES = 0.98

/** The scale at which `content` fits into `room`, at most `most`. Texts fit by their width alone. */
export function fittingScale(content: Size, room: Size, { most, isText }: { most: number; isText: boolean }): number {
  const byWidth = room.width / content.width
  const scale = isText ? Math.max(byWidth < 1 ? byWidth * LINES : byWidth, MIN_SCALE) : Math.min(byWidth, room.height / content.height)
  return Number.isFinite(scale) && scale > 0 ? Math.min(scale, most) : 1
}

/** Keeps a scale within the bounds, or at the fitting one where that lies outside. */
export const bounded = (scale: number, fitting: number): number =>
  Math.min(Math.max(scale, Math.min(MIN_SCALE, fitting)), Math.max(MAX_SCALE, fitting))

/** The factor of a wheel event with Ctrl, which trackpads send for a pinch. */
export const wheelFactor = (deltaY: number): number => Math.exp(-Math.max(-MAX_WHEEL, Math.min(MAX_WHEEL, deltaY)) * WHEEL_SPEED)

/** The scroll offset that keeps the content at `point` of the window in place when the scale changes by `factor`. */
export const offsetAfter = (offset: number, point: number, factor: number): number => (offset + point) * factor - point
