import type { SessionSummary } from '../../contract/chat/sessions.ts'

/** The loaded part of the list, in the server's order, and the cursor of the next page; `null` if all is loaded. */
export interface LoadedList {
  sessions: SessionSummary[]
  next: string | null
}

/** The server's order: newest activity first. */
function isBefore(a: SessionSummary, b: SessionSummary): boolean {
  return a.updatedAt === b.updatedAt ? a.key > b.key : a.updatedAt > b.updatedAt
}

/** Replaces the first page. Later pages stay: only they can tell which of their sessions were deleted. */
export function withFirstPage(loaded: LoadedList, first: LoadedList): LoadedList {
  const last = first.sessions.at(-1)
  const behind = first.next && last ? loaded.sessions.filter((session) => isBefore(last, session)) : []
  const isKnown = (key: string) => first.sessions.some((session) => session.key === key)
  const kept = behind.filter(({ key }) => !isKnown(key))
  return kept.length > 0 ? { sessions: [...first.sessions, ...kept], next: loaded.next } : first
}

export function withNextPage({ sessions }: LoadedList, page: LoadedList): LoadedList {
  const fresh = new Set(page.sessions.map(({ key }) => key))
  return { sessions: [...sessions.filter(({ key }) => !fresh.has(key)), ...page.sessions], next: page.next }
}

/** Adds or updates a session. One that belongs to a page that is not loaded is left out. */
export function withSession({ sessions, next }: LoadedList, session: SessionSummary): LoadedList {
  const others = sessions.filter(({ key }) => key !== session.key)
  const index = others.findIndex((other) => isBefore(session, other))
  if (index >= 0) return { sessions: others.toSpliced(index, 0, session), next }
  return { sessions: next ? others : [...others, session], next }
}
