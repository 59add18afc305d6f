import { createContext, createElement, Fragment, type ReactNode, use } from 'react'
import { useLanguage } from './language.ts'
import { directionOf } from './languages.ts'

/** The names in braces in a sentence: `'{count} of {total}'` has `count` and `total`. */
type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<S extends string, V> = [Names<S>] extends [never] ? [] : [Readonly<Record<Names<S>, V>>]
type Told = string | number
declare const marked: unique symbol
/** A sentence of a table, marked by `defineMessage`. */
export type MessageText = string & { readonly [marked]: true }
/** Nothing that was put together: a literal, or what `defineMessage` marked. */
type Literal<S extends string> = S extends MessageText ? S : { unsaid?: 1 } extends Record<S, 1> ? never : S

/** Changes with the language, and as more of it is loaded. */
export const LanguageContext = createContext(useLanguage.getState())

/** For what is drawn: gives `t`, and draws anew when the language changes. */
export function useTranslate(): typeof t {
  use(LanguageContext)
  return t
}

/**
 * The sentence in the reader's language; in English itself while that is not loaded. English is the key: written where it is said, as a
 * literal. `{name}` stands for a value; numbers are written as the language does.
 */
export function t<const S extends string>(english: Literal<S>, ...[values]: Values<S, Told>): string {
  return filled<Told>(translated(english), values).join('')
}

/** As `t`, for a number of things: `one` and `other` are the English forms, `other` is the key, and `{count}` is the number. */
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

/** As `t`, with elements in the sentence. */
t.with = <const S extends string>(english: Literal<S>, ...[values]: Values<S, ReactNode>): ReactNode =>
  createElement(Fragment, null, ...filled<ReactNode>(translated(english), values))

/** A number as the language writes it. */
t.number = (value: number): string => value.toLocaleString(useLanguage.getState().locale)

/** A time as the language writes it. */
t.time = (time: string | Date, options: Intl.DateTimeFormatOptions): string =>
  new Date(time).toLocaleString(useLanguage.getState().locale, options)

/** Marks a sentence of a table, for `t` to say later. */
export const defineMessage = <const S extends string>(english: Literal<S>): MessageText => english as string as MessageText

function translated(english: string): string {
  const translation = useLanguage.getState().translations[english]
  return typeof translation === 'string' ? translation : english
}

/** The parts of a sentence with its values in their places. */
function filled<V>(text: string, values: Readonly<Record<string, V>> = {}): (V | string)[] {
  const isolates = directionOf(useLanguage.getState().language) === 'rtl'
  return text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part
    const value = values[part]
    if (typeof value === 'number') return t.number(value)
    // What a visitor or a model wrote must not turn the sentence around it.
    return typeof value === 'string' && isolates ? `\u2068${value}\u2069` : (value ?? '')
  })
}
