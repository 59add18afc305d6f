import { z } from 'zod'

/** Preferred language of a text from the server. */
export const RequestedLanguage = z.string().max(35).optional().describe('A primary BCP 47 tag, such as `de`. Falls back to English.')
