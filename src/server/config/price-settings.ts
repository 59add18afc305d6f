import type { Price } from '../limits/budget.ts'
import type { z } from 'zod'
import { type ModelEnvironment, isOwnModel, modelName } from './model-settings.ts'
import { money, text } from './setting-schemas.ts'

/** List prices per million tokens in US dollars, as of October 2025. A name also covers its dated versions. */
const PRICES: Record<string, Price> = {
  'gpt-5': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cacheRead: 0.005 },
  'gpt-4.1': { input: 2, output: 8, cacheRead: 0.5 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cacheRead: 0.1 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4, cacheRead: 0.025 },
  'gpt-4o': { input: 2.5, output: 10, cacheRead: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cacheRead: 0.075 },
  'claude-opus-4-1': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  'claude-sonnet-4-5': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-sonnet-4': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'claude-3-5-haiku': { input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 },
  'gemini-2.5-pro': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cacheRead: 0.01 },
  'mistral-medium': { input: 0.4, output: 2 },
  'mistral-small': { input: 0.1, output: 0.3 },
}

const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

function knownPrice(model: string): Price | undefined {
  const name = model.replace(DATE, '')
  return Object.hasOwn(PRICES, name) ? PRICES[name] : undefined
}

const ONE_PRICE = /^(\S+)=(\d{1,9}(?:\.\d{1,6})?)((?:\/\d{1,9}(?:\.\d{1,6})?){1,3})$/
const listed = (value: string | undefined) => (value ?? '').split(',').map((item) => item.trim())

export const PRICE_ENVIRONMENT = {
  BUDGET_PER_DAY: money.optional().describe('Maximum cost of all answers per day (UTC). Unlimited if unset.'),
  BUDGET_PER_MONTH: money.optional().describe('Maximum cost of all answers per month (UTC). Unlimited if unset.'),
  PRICES: text
    .refine((value) => listed(value).every((item) => ONE_PRICE.test(item)), 'must be like small=0.25/2, large=1.25/10')
    .optional()
    .describe(
      'Prices of models for a million input and output tokens, in the currency of the budgets: `small=0.25/2, large=1.25/10`. A third and a fourth number are the prices of input that the provider reads from its cache and stores there. Known models have their list price.',
    ),
}

type PriceEnvironment = z.infer<z.ZodObject<typeof PRICE_ENVIRONMENT>> &
  ModelEnvironment & { MODEL?: string | undefined; FALLBACK_MODEL?: string | undefined }

export class Prices {
  readonly #environment: PriceEnvironment

  constructor(environment: PriceEnvironment) {
    this.#environment = environment
  }

  /** `null` for the built-in assistant, which is not metered; zero for a model without a price, so only its tokens count. */
  of(model: string): Price | null {
    return model === 'builtin' ? null : (priceNamed(this.#environment, model) ?? { input: 0, output: 0 })
  }

  /** Whether a budget is set but the model has no price. */
  isMissing(model: string): boolean {
    const { BUDGET_PER_DAY, BUDGET_PER_MONTH } = this.#environment
    const hasBudget = BUDGET_PER_DAY !== undefined || BUDGET_PER_MONTH !== undefined
    return hasBudget && !isOwnModel(model) && !priceNamed(this.#environment, model)
  }
}

export function priceMistakes(environment: PriceEnvironment): string[] {
  const { MODEL, FALLBACK_MODEL } = environment
  const prices = new Prices(environment)
  const mistakes: string[] = []
  if (MODEL && prices.isMissing(modelName(environment, MODEL))) mistakes.push('PRICES has to name the price of MODEL, a budget needs it')
  if (FALLBACK_MODEL && (!MODEL || MODEL === 'builtin')) mistakes.push('FALLBACK_MODEL needs a MODEL to fall back from')
  if (FALLBACK_MODEL && prices.isMissing(modelName(environment, FALLBACK_MODEL)))
    mistakes.push('PRICES has to name the price of FALLBACK_MODEL, a budget needs it')
  return mistakes
}

/** The configured price, otherwise the list price. */
function priceNamed(environment: PriceEnvironment, model: string): Price | undefined {
  const given = listed(environment.PRICES).find((item) => item.startsWith(`${model}=`))
  return given === undefined ? knownPrice(model) : priceIn(given)
}

function priceIn(item: string): Price {
  const [, , input, rest = ''] = ONE_PRICE.exec(item) ?? []
  const [output = 0, cacheRead, cacheWrite] = rest.split('/').slice(1).map(Number)
  return { input: Number(input), output, ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) }
}
