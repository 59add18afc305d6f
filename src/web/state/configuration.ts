import { create } from 'zustand'
import type { PublicConfiguration } from '../../contract/config.ts'

/** What the server says about this installation; null until it has been fetched at the start. */
export const useConfiguration = create<PublicConfiguration | null>(() => null)
