import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { create } from 'zustand'
import { useTranslate } from './language/translate.ts'
import { Button, IconButton } from './button.tsx'

const POSITIONS = ['top', 'top-left', 'top-right', 'bottom', 'bottom-left', 'bottom-right', 'center'] as const
const BADGE_POSITIONS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const
const DEFAULT_TIMEOUT_MS = 5_000

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
}

/** Limit of visible notifications; the oldest is removed. */
const MOST_SHOWN = 4

type Named = Pick<NotificationOptions, 'message' | 'cause'> & { position: Position; count: number }

/** The visible notifications with another one. It replaces one with the same words, which it counts, and those with the same cause. */
export function withNotification<Notice extends Named>(shown: readonly Notice[], added: Notice): Notice[] {
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

interface Shown extends Required<Omit<NotificationOptions, 'cause'>> {
  cause: string | undefined
  id: number
  count: number
}

const useNotifications = create<Shown[]>(() => [])
let lastId = 0

/**
 * Shows a notification. Invalid options log a console error and show nothing.
 * Returns a function that removes it.
 */
export function notify(options: NotificationOptions): () => void {
  const id = ++lastId
  const fault = notificationFault(options)
  if (fault) console.error(`notify: ${fault}`)
  else show(id, options)
  return () => dismiss(id)
}

function show(id: number, options: NotificationOptions): void {
  const { type = 'info', position = 'bottom', timeout = DEFAULT_TIMEOUT_MS, badgePosition = 'top-right', actions = [] } = options
  const { message, cause } = options
  const added = { message, type, position, timeout, badgePosition, actions, cause, id, count: 1 }
  useNotifications.setState(withNotification(useNotifications.getState(), added), true)
}

const dismiss = (id: number) => useNotifications.setState((shown) => shown.filter((other) => other.id !== id), true)

/** The slots on the page, the one of the topmost dialog last. */
const useSlots = create<HTMLElement[]>(() => [])

function addSlot(slot: HTMLElement | null): (() => void) | void {
  if (!slot) return
  useSlots.setState([...useSlots.getState(), slot], true)
  return () =>
    useSlots.setState(
      useSlots.getState().filter((other) => other !== slot),
      true,
    )
}

/** Where notifications at the bottom have room of their own; without it, they float above the page. */
export const NotificationSlot = (): ReactNode => <div ref={addSlot} className="notification-slot" />

/** Container of notifications; one per page. Escape dismisses the newest, unless something else takes the key. */
export function Notifications(): ReactNode {
  const shown = useNotifications()
  const slot = useSlots().at(-1)
  const newest = shown.at(-1)?.id
  useEffect(() => {
    if (newest === undefined) return
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog:modal, :popover-open')) dismiss(newest)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [newest])
  return [...new Set(shown.map(({ position }) => position))].map((position) => {
    const isInSlot = slot && position === 'bottom'
    const list = (
      <div key={position} className={isInSlot ? 'notifications' : `notifications floating ${position}`}>
        {shown
          .filter((one) => one.position === position)
          .map((one) => (
            <Notification key={one.id} {...one} />
          ))}
      </div>
    )
    return isInSlot ? createPortal(list, slot) : list
  })
}

function Notification({ id, message, type, timeout, badgePosition, actions, count }: Shown): ReactNode {
  const t = useTranslate()
  const element = useRef<HTMLDivElement>(null)
  const focusedBefore = useRef<EventTarget>(null)
  useLayoutEffect(() => {
    const shown = element.current
    const timer = timeout > 0 && setTimeout(() => dismiss(id), timeout)
    return () => {
      if (timer) clearTimeout(timer)
      if (shown?.contains(document.activeElement)) (focusedBefore.current as HTMLElement | null)?.focus()
    }
  }, [id, timeout])
  return (
    <div
      ref={element}
      role={type === 'error' || type === 'warning' ? 'alert' : 'status'}
      className={`notification ${type}`}
      onFocus={({ relatedTarget }) => {
        if (!element.current?.contains(relatedTarget)) focusedBefore.current = relatedTarget
      }}
    >
      <p>{message}</p>
      {actions.map(({ label, act }) => (
        <Button
          key={label}
          className="small"
          onClick={() => {
            act()
            dismiss(id)
          }}
        >
          {label}
        </Button>
      ))}
      <IconButton icon="close" label={t('Dismiss')} className="small" onClick={() => dismiss(id)} />
      {count > 1 && <span className={`badge ${badgePosition}`}>{count}</span>}
    </div>
  )
}
