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
  /** Milliseconds until it goes; 0 stays until it is dismissed. */
  timeout?: number
  /** Corner of the count that appears when the same message comes again. */
  badgePosition?: BadgePosition
  actions?: NotificationAction[]
}

/** What is wrong with the options, in a sentence; null when nothing is. */
export function notificationFault({ position, timeout, badgePosition }: NotificationOptions): string | null {
  if (position !== undefined && !POSITIONS.includes(position)) return `invalid position: ${position}`
  if (timeout !== undefined && !(Number.isFinite(timeout) && timeout >= 0)) return `invalid timeout: ${timeout}`
  if (badgePosition !== undefined && !BADGE_POSITIONS.includes(badgePosition)) return `invalid badge position: ${badgePosition}`
  return null
}
