import type { ReactNode } from 'react'
import { create } from 'zustand'

/** A dialog that a prompt waits for; `null` if none. */
export const useQuestion = create<{ dialog: ReactNode }>(() => ({ dialog: null }))
