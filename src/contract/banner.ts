import { z } from 'zod'

/** Message of staff to every visitor, above each chat. */
export const Banner = z.object({ text: z.string(), since: z.iso.datetime() })
export type Banner = z.infer<typeof Banner>
