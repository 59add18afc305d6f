import type { Visitor } from '../../../contract/chat/sessions.ts'
import { fetchMe } from '../../api/calls.ts'
import { create } from 'zustand'

interface SignInProvider {
  visitor(): Promise<Visitor | null>
}

/** The anonymous visitor, created by the server with the first accepted prompt. */
const anonymousProvider: SignInProvider = {
  async visitor() {
    const outcome = await fetchMe()
    return outcome.ok ? outcome.value.visitor : null
  },
}

const provider: SignInProvider = anonymousProvider

export const useVisitor = create<Visitor | null>(() => null)

/** Fetches the visitor unless known. Creates no visitor. */
export async function recallVisitor(): Promise<void> {
  if (!useVisitor.getState()) useVisitor.setState(await provider.visitor(), true)
}

export const clearVisitor = () => useVisitor.setState(null, true)
