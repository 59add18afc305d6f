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
}

/** Describes invalid options; null if valid. */
export function notificationFault({ position, timeout, badgePosition }: NotificationOptions): string | null {
  if (position !== undefined && !POSITIONS.includes(position)) return `invalid position: ${position}`
  if (timeout !== undefined && !(Number.isFinite(timeout) && timeout >= 0)) return `invalid timeout: ${timeout}`
  if (badgePosition !== undefined && !BADGE_POSITIONS.includes(badgePosition)) return `invalid badge position: ${badgePosition}`
  return null
}
