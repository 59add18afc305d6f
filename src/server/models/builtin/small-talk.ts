import { PAGE_LANGUAGES, type PageLanguage } from '../../../contract/page-languages.ts'
import { foldWording } from '../../../text/fold-wording.ts'
import { type SmallTalk, WORDINGS } from './wordings.ts'

/** A little longer than the longest wording. */
const MAX_CHARACTERS = 100

interface KnownWording {
  kind: SmallTalk
  language: PageLanguage
}

/** A wording that several languages have is read as English first. */
const SMALL_TALK = new Map<string, KnownWording>()
for (const language of PAGE_LANGUAGES)
  for (const [kind, prompts] of Object.entries(WORDINGS[language].prompts) as [SmallTalk, string][])
    for (const wording of prompts.split('|').map(foldWording)) if (!SMALL_TALK.has(wording)) SMALL_TALK.set(wording, { kind, language })

/** The small talk that a prompt is, if it is nothing else; a greeting may come before it. */
export function smallTalkIn(prompt: string): KnownWording | undefined {
  if (prompt.length > MAX_CHARACTERS) return undefined
  const wording = foldWording(prompt)
  const known = SMALL_TALK.get(wording)
  if (known) return known
  const words = wording.split(' ')
  const greets = words.findIndex((_, index) => SMALL_TALK.get(words.slice(0, index + 1).join(' '))?.kind === 'hello')
  return greets < 0 ? undefined : SMALL_TALK.get(words.slice(greets + 1).join(' '))
}
