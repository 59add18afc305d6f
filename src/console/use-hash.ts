import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

const hashPart = (index: 0 | 1) => location.hash.replace(/^#\/?/, '').split('?', 2)[index] ?? ''

/** The screen that the address names, such as `stop` of `#/stop`, with the parts after it. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, () => hashPart(0))
}

/** The query in the address, such as `sort=day` of `#/privacy/?sort=day`. */
export function useHashQuery(): string {
  return useSyncExternalStore(subscribe, () => hashPart(1))
}

function addressWith(query: URLSearchParams): string {
  const path = hashPart(0).replace(/\/+$/, '') || 'overview'
  return query.size === 0 ? `#/${path}` : `#/${path}/?${query}`
}

/** Changes the query without an entry in the history, for example with each letter that is typed. */
export function replaceQuery(query: URLSearchParams): void {
  history.replaceState(null, '', addressWith(query))
  dispatchEvent(new HashChangeEvent('hashchange'))
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
