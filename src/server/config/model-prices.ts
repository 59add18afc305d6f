import type { Price } from '../limits/budget.ts'

/**
 * List prices per million tokens in US dollars, as of October 2025; `PRICES` overrides them. A name also covers its
 * dated versions: `gpt-4o` matches `gpt-4o-2024-08-06`.
 */
const PRICES: Record<string, Price> = {
  'gpt-5': { input: 1.25, output: 10 },
  'gpt-5-mini': { input: 0.25, output: 2 },
  'gpt-5-nano': { input: 0.05, output: 0.4 },
  'gpt-4.1': { input: 2, output: 8 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4 },
  'gpt-4o': { input: 2.5, output: 10 },
  'gpt-4o-mini': { input: 0.15, output: 0.6 },
  'claude-opus-4-1': { input: 15, output: 75 },
  'claude-sonnet-4-5': { input: 3, output: 15 },
  'claude-sonnet-4': { input: 3, output: 15 },
  'claude-haiku-4-5': { input: 1, output: 5 },
  'claude-3-5-haiku': { input: 0.8, output: 4 },
  'gemini-2.5-pro': { input: 1.25, output: 10 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
  'mistral-medium': { input: 0.4, output: 2 },
  'mistral-small': { input: 0.1, output: 0.3 },
}

const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

/** The list price of a known model. */
export function knownPrice(model: string): Price | undefined {
  const name = model.replace(DATE, '')
  return Object.hasOwn(PRICES, name) ? PRICES[name] : undefined
}
