import { createContext, createElement, Fragment, type ReactNode, use } from 'react'
import { useLanguage } from './language.ts'
import { directionOf } from './languages.ts'

/** The names in braces in a sentence: `'{count} of {total}'` has `count` and `total`. */
type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<S extends string, V> = [Names<S>] extends [never] ? [] : [Readonly<Record<Names<S>, V>>]
type Told = string | number
declare const marked: unique symbol
export type MessageText = string & { readonly [marked]: true }
/** A literal or a `MessageText`; never a concatenated string. */
type Literal<S extends string> = S extends MessageText ? S : { unsaid?: 1 } extends Record<S, 1> ? never : S

/** Changes with the language and with loaded messages. */
export const LanguageContext = createContext(useLanguage.getState())

/** For `memo` components, which are else skipped: returns `t` and re-renders when the language changes, as the other components do anyway. */
export function useTranslate(): typeof t {
  use(LanguageContext)
  return t
}

/**
 * Translates a message; falls back to English while the language is loading. The English text is the key and must be a literal. `{name}`
 * is a placeholder; numbers are formatted for the language.
 */
export function t<const S extends string>(english: Literal<S>, ...[values]: Values<S, Told>): string {
  return filled<Told>(translated(english), values).join('')
}

/** Like `t`, with plural forms. `one` and `other` are English, `other` is the key, `{count}` is the number. */
t.plural = <const S extends string>(
  count: number,
  one: string,
  other: Literal<S>,
  ...[values]: [Exclude<Names<S>, 'count'>] extends [never] ? [] : [Readonly<Record<Exclude<Names<S>, 'count'>, Told>>]
): string => {
  const { language, translations } = useLanguage.getState()
  const forms = translations[other]
  const form = typeof forms === 'object' ? (forms[new Intl.PluralRules(language).select(count)] ?? forms.other) : forms
  return filled<Told>(form ?? (count === 1 ? one : other), { count, ...values }).join('')
}

/** Like `t`, with React nodes as values. */
t.with = <const S extends string>(english: Literal<S>, ...[values]: Values<S, ReactNode>): ReactNode =>
  createElement(Fragment, null, ...filled<ReactNode>(translated(english), values))

t.number = (value: number): string => value.toLocaleString(useLanguage.getState().locale)

t.time = (time: string | Date, options: Intl.DateTimeFormatOptions): string =>
  new Date(time).toLocaleString(useLanguage.getState().locale, options)

/** Marks a literal as a message, for a later `t` call. */
export const defineMessage = <const S extends string>(english: Literal<S>): MessageText => english as string as MessageText

function translated(english: string): string {
  const translation = useLanguage.getState().translations[english]
  return typeof translation === 'string' ? translation : english
}

/** The parts of a message with its values inserted. */
function filled<V>(text: string, values: Readonly<Record<string, V>> = {}): (V | string)[] {
  const isolates = directionOf(useLanguage.getState().language) === 'rtl'
  return text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part
    const value = values[part]
    if (typeof value === 'number') return t.number(value)
    // Isolates values, which may change the text direction.
    return typeof value === 'string' && isolates ? `\u2068${value}\u2069` : (value ?? '')
  })
}
