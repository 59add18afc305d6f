import { createContext, useContext } from 'react'
import type { StaffSession } from '../contract/staff/session.ts'

interface StaffContextValue {
  session: StaffSession
  ask(question?: string): void
}

export const StaffContext = createContext<StaffContextValue | null>(null)

export function useStaff(): StaffContextValue {
  const value = useContext(StaffContext)
  if (!value) throw new Error('Only screens of people who are signed in can use this')
  return value
}
