import { createContext, useContext } from 'react'
import { hasRight, type StaffRight } from '../contract/staff/roles.ts'
import type { StaffSession } from '../contract/staff/session.ts'

interface StaffContextValue {
  session: StaffSession
  ask(question?: string): void
}

interface Staff extends StaffContextValue {
  may(right: StaffRight): boolean
}

export const StaffContext = createContext<StaffContextValue | null>(null)

export function useStaff(): Staff {
  const value = useContext(StaffContext)
  if (!value) throw new Error('Only screens of people who are signed in can use this')
  return { ...value, may: (right) => hasRight(value.session.role, right) }
}
