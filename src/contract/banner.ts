import { z } from 'zod'

/** What staff tell every visitor, above each chat. */
export const Banner = z.object({ text: z.string(), since: z.iso.datetime() })
export type Banner = z.infer<typeof Banner>
