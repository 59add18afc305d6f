import { create } from 'zustand'
import type { PlaceholderValues } from '../../personal-data/unmask.ts'
import { readFromTab, storeInTab } from '../../ui/storage/storage.ts'

const STORED_KEY = 'personal-values'
/** Chats whose values are remembered: those used last. */
const MAX_CHATS = 20
/** Values of a chat that are remembered: the newest. */
const MAX_VALUES = 200
const NONE: PlaceholderValues = {}

interface ChatValues {
  values: PlaceholderValues
  /** Whether this tab's storage may have them. */
  isStored: boolean
}

/** Values of the placeholders in this tab's chats, by session key. */
const usePersonalValues = create<{ chats: ReadonlyMap<string, ChatValues> }>(() => ({ chats: readStored() }))

export const valuesOf = (key: string): PlaceholderValues => usePersonalValues.getState().chats.get(key)?.values ?? NONE

export const useValuesOf = (key: string): PlaceholderValues => usePersonalValues(({ chats }) => chats.get(key)?.values ?? NONE)

/** Remembers the values of a chat, and stores them for a reload of this tab if `isStored`. */
export function rememberValues(key: string, values: PlaceholderValues, isStored: boolean): void {
  const chats = new Map(usePersonalValues.getState().chats)
  chats.delete(key)
  if (Object.keys(values).length > 0) chats.set(key, { values: Object.fromEntries(Object.entries(values).slice(-MAX_VALUES)), isStored })
  change(new Map([...chats].slice(-MAX_CHATS)))
}

export function moveValues(from: string, to: string): void {
  const moved = usePersonalValues.getState().chats.get(from)
  if (!moved || from === to) return
  forgetValues(from)
  rememberValues(to, { ...moved.values, ...valuesOf(to) }, moved.isStored)
}

export const forgetValues = (key: string): void => {
  if (usePersonalValues.getState().chats.has(key)) rememberValues(key, NONE, false)
}

export function forgetAllValues(): void {
  change(new Map())
}

function change(chats: ReadonlyMap<string, ChatValues>): void {
  usePersonalValues.setState({ chats })
  const stored = [...chats].filter(([, { isStored }]) => isStored).map(([key, { values }]) => [key, values] as const)
  storeInTab(STORED_KEY, stored.length > 0 ? stored : null)
}

function readStored(): ReadonlyMap<string, ChatValues> {
  const stored = (readFromTab(STORED_KEY) ?? []) as [string, PlaceholderValues][]
  return new Map(stored.map(([key, values]) => [key, { values, isStored: true }]))
}
