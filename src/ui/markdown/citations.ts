import { createContext, type ReactNode, use } from 'react'

/** Renders a text with citation marks; undefined if it has no citation. */
export type Cite = (text: string) => ReactNode | undefined

/** Null where numbers in brackets are plain text: without sources and inside links. */
export const CitationContext = createContext<Cite | null>(null)

export const mayCite = (text: string): boolean => /[[【]\d/.test(text)

/** A text with its citations, or `instead` if it has none. */
export function CitedText({ text, instead = text }: { text: string; instead?: ReactNode }): ReactNode {
  return use(CitationContext)?.(text) ?? instead
}
