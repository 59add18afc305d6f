import type { Calculation } from './arithmetic.ts'
import type { Conversion } from './conversions.ts'
import type { AmbiguousDate, DateRequest } from './dates.ts'
import type { FollowUpKind, ReplyLanguage } from './languages/language-rules.ts'
import type { QuotedPassage } from './quoted-passage.ts'
import type { SmallTalk } from './small-talk.ts'
import type { TimeRequest } from './times.ts'

export interface Search {
  kind: 'search'
  /** Tried one after the other until one finds something. */
  queries: readonly string[]
  /** The passage that was quoted before, where the prompt refers to it. */
  refersTo: QuotedPassage | null
  prompt: string
}

/** A reaction to the previous answer that needs no new one. */
export interface Reaction {
  kind: 'reaction'
  about: FollowUpKind
  /** Passage that the previous answer quoted; null if none. */
  quoted: QuotedPassage | null
  /** Query that was searched for; null if none. */
  query: string | null
}

/** An ambiguous follow-up: the assistant asks what is meant. */
export interface AskBack {
  kind: 'ask-back'
  about: 'nothing-before' | 'which-number'
}

export type Request = Calculation | Conversion | TimeRequest | DateRequest | AmbiguousDate | Search

export type Intent = (Request | SmallTalk | Reaction | AskBack) & { replyLanguage: ReplyLanguage }

/** The context that a follow-up may refer to. */
export interface Before {
  request: Request
  answer: string
  language: ReplyLanguage
}
