import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'
import { deviceStorage } from '../../ui/storage/storage.ts'

/** The actions of the page's shortcuts; shortcut-sheet.tsx lists them. */
export interface ShortcutActions {
  search(): void
  newChat(): void
  help(): void
}

export const SINGLE_KEYS_OFF = 'single-keys-off'

/** Whether character keys are shortcuts. WCAG 2.1.4 requires a switch, because speech input triggers them by accident. */
export const useSingleKeys = create(() => !deviceStorage.getItem(SINGLE_KEYS_OFF))

export function useShortcuts(actions: ShortcutActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = actionOf(event)
    // Dialogs block shortcuts, except search in the drawer.
    if (!action || (action !== 'search' && document.querySelector('dialog:modal'))) return
    event.preventDefault()
    actions[action]()
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): keyof ShortcutActions | undefined {
  if (altKey) return undefined
  if (ctrlKey || metaKey) {
    // Some layouts type a slash with Shift.
    if (key === '/') return 'help'
    if (shiftKey) return key.toLowerCase() === 'o' ? 'newChat' : undefined
    return key === 'k' ? 'search' : undefined
  }
  const isTyping = target instanceof Element && target.matches('input, textarea, select')
  return key === '?' && !isTyping && useSingleKeys.getState() ? 'help' : undefined
}
