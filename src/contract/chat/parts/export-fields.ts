import { z } from 'zod'
import { MAX_ANSWER_CHARACTERS, MAX_PROMPT_CHARACTERS } from '../../size-limits.ts'

/** Text without NUL and lone surrogates. */
export const textUpTo = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .transform((value) => value.replaceAll('\0', '').toWellFormed())

/** The text of a message. A prompt is limited in code points, which are up to two UTF-16 code units. */
export const MessageText = textUpTo(Math.max(MAX_ANSWER_CHARACTERS, MAX_PROMPT_CHARACTERS * 2))

export const ShortText = z.string().min(1).max(200)
