import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** The screen that the address names, such as `stop` of `#/stop`, with the parts after it. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, () => location.hash.replace(/^#\/?/, ''))
}

/** The parts of the address between slashes, decoded; a part that can't be decoded is empty. */
export function useHashParts(): string[] {
  return useHash().split('/').map(decoded)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
