import { useEffect, useEffectEvent } from 'react'

/** Pending removal of the history entry. */
let leaving: ReturnType<typeof setTimeout> | undefined

const isOwnEntry = (): boolean => history.state?.viewer === true

/** Closes what is open when the visitor goes back, by a history entry of its own that is removed when it is closed otherwise. */
export function useBack(close: () => void): void {
  const onBack = useEffectEvent(close)
  useEffect(() => {
    clearTimeout(leaving)
    // The page behind it keeps its place instead of returning to that of the opening.
    history.scrollRestoration = 'manual'
    if (!isOwnEntry()) history.pushState({ viewer: true }, '')
    const back = () => onBack()
    addEventListener('popstate', back)
    return () => {
      removeEventListener('popstate', back)
      leaving = setTimeout(leave)
    }
  }, [])
}

function leave(): void {
  const restore = () => {
    history.scrollRestoration = 'auto'
  }
  if (!isOwnEntry()) return restore()
  addEventListener('popstate', restore, { once: true })
  history.back()
}
