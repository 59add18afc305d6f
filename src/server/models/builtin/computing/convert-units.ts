import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import type { ConvertResult } from './units.ts'

const MAX_UNIT_CHARACTERS = 40

/** Loaded on first use: the units take 1.5 MB. */
export const loadUnits = () => import('./units.ts')

/** Conversion between units of one measure: length, area, volume, mass, temperature, time, data, speed, energy, power, pressure, angle. */
export const convertUnits = tool({
  description:
    'Converts an amount from one unit to another: length, area, volume, mass, temperature, time, data, speed, energy, power, pressure, angle.',
  inputSchema: zodSchema(
    z.object({
      amount: z.number(),
      from: z.string().min(1).max(MAX_UNIT_CHARACTERS).describe('For example: km'),
      to: z.string().min(1).max(MAX_UNIT_CHARACTERS).describe('For example: miles'),
    }),
  ),
  execute: async ({ amount, from, to }): Promise<ConvertResult> => (await loadUnits()).convertAmount(amount, from, to),
})
