import { create } from 'zustand'
import type { Visitor } from '../../../contract/chat/sessions.ts'
import { fetchMe } from '../../api/calls.ts'

/** The anonymous visitor, created by the server with the first accepted prompt; null until there is one. */
export const useVisitor = create<Visitor | null>(() => null)

/** Fetches the visitor unless known. Creates no visitor. */
export async function recallVisitor(): Promise<void> {
  if (useVisitor.getState()) return
  const outcome = await fetchMe()
  useVisitor.setState(outcome.ok ? outcome.value.visitor : null, true)
}

export const clearVisitor = () => useVisitor.setState(null, true)
