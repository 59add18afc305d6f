import { createContext, type ReactNode, use } from 'react'

/** Draws a text with marks in place of its citations; undefined when it cites nothing. */
export type Cite = (text: string) => ReactNode | undefined

/** Where there are no sources, and within links, numbers in brackets are text. */
export const CitationContext = createContext<Cite | null>(null)

/** Whether a text may hold a citation. */
export const mayCite = (text: string): boolean => /[[【]\d/.test(text)

/** A text with its citations; `instead`, if there is one, when it cites nothing. */
export function CitedText({ text, instead = text }: { text: string; instead?: ReactNode }): ReactNode {
  return use(CitationContext)?.(text) ?? instead
}
