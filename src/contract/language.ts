import { z } from 'zod'

export const RequestedLanguage = z.string().max(35).optional().describe('A primary BCP 47 tag, such as `de`. Falls back to English.')
