/** The values that placeholders stand for, such as `[card 1]`. */
export type PlaceholderValues = Readonly<Record<string, string>>

export const PLACEHOLDER = /\[(?:iban|card|national id|email|telephone|address) ([1-9]\d{0,3})\]/g

/** Puts the values back. Placeholders without a value stay. */
export const unmask = (text: string, values: PlaceholderValues): string =>
  text.replace(PLACEHOLDER, (placeholder) => (Object.hasOwn(values, placeholder) ? (values[placeholder] ?? placeholder) : placeholder))
