import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { create } from 'zustand'
import { useTranslate } from '../language/translate.ts'
import { Button, IconButton } from './button.tsx'
import { DEFAULT_TIMEOUT_MS, notificationFault, type NotificationOptions } from './notification-rules.ts'

/** Limit of visible notifications; the oldest is removed. */
const MOST_SHOWN = 4

interface Shown extends Required<NotificationOptions> {
  id: number
  /** Number of repeats while visible. */
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
  const shown = useNotifications.getState()
  const same = shown.find((other) => other.message === options.message && other.position === position)
  const added = { message: options.message, type, position, timeout, badgePosition, actions, id, count: (same?.count ?? 0) + 1 }
  useNotifications.setState([...shown.filter((other) => other !== same), added].slice(-MOST_SHOWN), true)
}

const dismiss = (id: number) => useNotifications.setState((shown) => shown.filter((other) => other.id !== id), true)

/** Container of notifications; one per page. */
export function Notifications(): ReactNode {
  const shown = useNotifications()
  return [...new Set(shown.map(({ position }) => position))].map((position) => (
    <div key={position} className={`notifications ${position}`}>
      {shown
        .filter((one) => one.position === position)
        .map((one) => (
          <Notification key={one.id} {...one} />
        ))}
    </div>
  ))
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
