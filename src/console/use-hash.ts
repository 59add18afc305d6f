import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** The screen that the address names, such as `stop` of `#/stop`. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, () => location.hash.replace(/^#\/?/, ''))
}
