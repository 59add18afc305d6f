import { createContext, useContext } from 'react'
import type { StaffSession } from '../contract/staff/session.ts'

interface StaffContextValue {
  session: StaffSession
  /** Reads the session again, after something of it changed. */
  refresh(): Promise<void>
  /** Shows the sign-in; afterwards, the same screen. */
  onSessionEnd(): void
  /** Opens the panel “Ask”, and asks a question there. */
  ask(question?: string): void
  /** Counts the answers of the panel. What is loaded is read again after each. */
  asked: number
}

export const StaffContext = createContext<StaffContextValue | null>(null)

/** Who is signed in. */
export function useStaff(): StaffContextValue {
  const value = useContext(StaffContext)
  if (!value) throw new Error('Only screens of people who are signed in can use this')
  return value
}
