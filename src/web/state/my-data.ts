import { create } from 'zustand'
import type { ErasureReply } from '../../contract/rights.ts'

/** The scope of a deletion: all chats, or all of the visitor's data. */
export type ErasureScope = 'sessions' | 'everything'

/** The view of the panel "My data"; `null` while it is closed. */
export type MyDataView =
  | { kind: 'overview' }
  | { kind: 'erase'; scope: ErasureScope }
  | { kind: 'receipt'; reply: ErasureReply }
  | { kind: 'give-code' }
  | { kind: 'take-code'; code: string }
  | { kind: 'withdrawn' }

export const useMyData = create<{ view: MyDataView | null }>(() => ({ view: null }))

export const showMyData = (view: MyDataView | null) => useMyData.setState({ view })
