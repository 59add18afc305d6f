export const POSITIONS = ['top', 'top-left', 'top-right', 'bottom', 'bottom-left', 'bottom-right', 'center'] as const
export const BADGE_POSITIONS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const
export const DEFAULT_TIMEOUT_MS = 5_000

export type Position = (typeof POSITIONS)[number]
export type BadgePosition = (typeof BADGE_POSITIONS)[number]

export interface NotificationAction {
  label: string
  act(): void
}

export interface NotificationOptions {
  message: string
  type?: 'info' | 'success' | 'warning' | 'error'
  position?: Position
  /** Milliseconds until it disappears; 0 stays until dismissed. */
  timeout?: number
  /** Corner of the badge that counts repeats of the message. */
  badgePosition?: BadgePosition
  actions?: NotificationAction[]
  /** Replaces the visible notification with the same cause. */
  cause?: string | undefined
  /** Subscribes to the end of the cause while the notification is visible; returns how to unsubscribe. */
  until?: (onEnd: () => void) => () => void
}

/** Limit of visible notifications; the oldest is removed. */
const MOST_SHOWN = 4

type Named = Pick<NotificationOptions, 'message' | 'cause'> & { position: Position; count: number }

/** The visible notifications with another one. It replaces one with the same words, which it counts, and those with the same cause. */
export function withNotification<Shown extends Named>(shown: readonly Shown[], added: Shown): Shown[] {
  const same = shown.find(({ message, position }) => message === added.message && position === added.position)
  const others = shown.filter((other) => other !== same && (added.cause === undefined || other.cause !== added.cause))
  return [...others, { ...added, count: (same?.count ?? 0) + 1 }].slice(-MOST_SHOWN)
}

/** Describes invalid options; null if valid. */
export function notificationFault({ position, timeout, badgePosition }: NotificationOptions): string | null {
  if (position !== undefined && !POSITIONS.includes(position)) return `invalid position: ${position}`
  if (timeout !== undefined && !(Number.isFinite(timeout) && timeout >= 0)) return `invalid timeout: ${timeout}`
  if (badgePosition !== undefined && !BADGE_POSITIONS.includes(badgePosition)) return `invalid badge position: ${badgePosition}`
  return null
}
