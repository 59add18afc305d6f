import type { z } from 'zod'
import type { Price } from '../limits/budget.ts'
import { knownPrice } from './model-prices.ts'
import { isOwnModel, type ModelEnvironment, modelName } from './model-settings.ts'
import { money, text } from './setting-schemas.ts'

const ONE_PRICE = /^(\S+)=(\d{1,9}(?:\.\d{1,6})?)\/(\d{1,9}(?:\.\d{1,6})?)$/
const listed = (value: string | undefined) => (value ?? '').split(',').map((item) => item.trim())

export const PRICE_ENVIRONMENT = {
  BUDGET_PER_DAY: money.optional().describe('Maximum cost of all answers per day (UTC). Unlimited if unset.'),
  BUDGET_PER_MONTH: money.optional().describe('Maximum cost of all answers per month (UTC). Unlimited if unset.'),
  PRICE_INPUT: money
    .optional()
    .describe('Price of a million input tokens of `MODEL`, in the currency of the budgets. Defaults to the list price of known models.'),
  PRICE_OUTPUT: money.optional().describe('Price of a million output tokens of `MODEL`.'),
  PRICES: text
    .refine((value) => listed(value).every((item) => ONE_PRICE.test(item)), 'must be like small=0.25/2, large=1.25/10')
    .optional()
    .describe('Input and output prices of agents’ models and `FALLBACK_MODEL`: `small=0.25/2, large=1.25/10`.'),
}

type PriceEnvironment = z.infer<z.ZodObject<typeof PRICE_ENVIRONMENT>> &
  ModelEnvironment & { MODEL?: string | undefined; FALLBACK_MODEL?: string | undefined }

/** Prices by model name without provider. */
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

/** Price of the fallback model; defaults to the price set for `MODEL`. */
export function priceOfFallback(environment: PriceEnvironment, fallback: string): Price | null {
  const name = modelName(environment, fallback)
  return (isOwnModel(name) ? null : (priceNamed(environment, name) ?? priceSet(environment))) ?? new Prices(environment).of(name)
}

/** Mistakes in how the settings combine, as sentences. */
export function priceMistakes(environment: PriceEnvironment): string[] {
  const { MODEL, FALLBACK_MODEL, PRICE_INPUT, PRICE_OUTPUT } = environment
  const prices = new Prices(environment)
  const mistakes: string[] = []
  if ((PRICE_INPUT === undefined) !== (PRICE_OUTPUT === undefined)) mistakes.push('PRICE_INPUT and PRICE_OUTPUT go together, set both')
  if (MODEL && prices.isMissing(modelName(environment, MODEL)))
    mistakes.push('PRICE_INPUT and PRICE_OUTPUT are missing, a budget needs the price of MODEL')
  if (FALLBACK_MODEL && (!MODEL || MODEL === 'builtin')) mistakes.push('FALLBACK_MODEL needs a MODEL to fall back from')
  if (FALLBACK_MODEL && !priceSet(environment) && prices.isMissing(modelName(environment, FALLBACK_MODEL)))
    mistakes.push('PRICES has to name the price of FALLBACK_MODEL, a budget needs it')
  return mistakes
}

/** The configured price, otherwise the list price. */
function priceNamed(environment: PriceEnvironment, model: string): Price | undefined {
  const { MODEL } = environment
  const given = listed(environment.PRICES).find((item) => item.startsWith(`${model}=`))
  const isPrimary = MODEL !== undefined && modelName(environment, MODEL) === model
  return (given === undefined ? undefined : priceIn(given)) ?? (isPrimary ? priceSet(environment) : undefined) ?? knownPrice(model)
}

function priceSet({ PRICE_INPUT: input, PRICE_OUTPUT: output }: PriceEnvironment): Price | undefined {
  return input === undefined || output === undefined ? undefined : { input, output }
}

function priceIn(item: string): Price {
  const [, , input, output] = ONE_PRICE.exec(item) ?? []
  return { input: Number(input), output: Number(output) }
}
