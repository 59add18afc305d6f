import { z } from 'zod'

/** The language that a reader would have a text of the server's in. */
export const WantedLanguage = z
  .string()
  .max(35)
  .optional()
  .describe('A primary tag of BCP 47, such as `de`; what is not translated comes in English.')
