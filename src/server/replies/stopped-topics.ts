import type { PageLanguage } from '../../contract/page-languages.ts'
import type { StopInForce } from '../../contract/staff/stops.ts'
import type { FixedReply } from './agent-policy.ts'
import { ContentWordReader } from './content-words.ts'
import { ExampleMatcher, readPrompt } from './example-matcher.ts'
import { SUSPENDED } from './fixed-sentences.ts'
import { wordsOf } from '../knowledge/index/analyzer.ts'
import { translated } from '../translations/translations.ts'

/** A stop by staff, as far as answers depend on it. */
export type StoppedScope = Pick<StopInForce, 'scope' | 'target' | 'examples' | 'reply'>

const matchers = new WeakMap<StoppedScope, ExampleMatcher>()

/**
 * The first stop that concerns a prompt to an agent; `undefined` if none does. A prompt that is no question by itself is read with the one
 * before, `earlier`. Files concern answers, not prompts.
 */
export async function stopConcerning<Stop extends StoppedScope>(
  stops: readonly Stop[],
  { agent, prompt, earlier = null }: { agent: string; prompt: string; earlier?: string | null | undefined },
): Promise<Stop | undefined> {
  for (const stop of stops) {
    if (stop.scope === 'all' || (stop.scope === 'agent' && stop.target === agent)) return stop
    if (stop.scope === 'topic' && (await isAbout(stop, { prompt, earlier }))) return stop
  }
  return undefined
}

export function stopReply({ reply }: Pick<StoppedScope, 'reply'>, language: PageLanguage | null): FixedReply {
  return { kind: 'stop', text: reply ?? translated(SUSPENDED, language), state: 'suspended' }
}

/** The files that may not be used. */
export function stoppedFiles(stops: readonly StoppedScope[]): string[] {
  return stops.filter(({ scope }) => scope === 'file').map(({ target }) => target)
}

/** Markup and characters that can't be seen, which may stand inside a word. */
const MARKUP = /<\/?[a-z][^<>]{0,200}>|[*~`]+|\p{Default_Ignorable_Code_Point}+/giu
const withoutMarkup = (text: string) => text.normalize('NFKC').replace(MARKUP, '')

/** Words that refer to what was said before, or continue it, in the languages of the page. */
const REFERRING: ReadonlySet<string> = new Set(
  (
    'and it its that this these those they them there also too then ' +
    'und es das dort dann davon dazu dafür damit dabei auch dieser diese dieses ' +
    'et ça cela celui celle il elle ils elles y aussi ' +
    'eso esa ese ello allí también ' +
    'e ed ciò questo questa lì anche ' +
    'isso essa esse ele ela lá também ' +
    'а и это этот эта там он она оно они тоже ' +
    'و هذا هذه ذلك تلك هناك أيضا وماذا ' +
    'और यह वह ये वे वहाँ भी ' +
    'それ これ そこ では 그 그것 그리고 거기 也 它 这 那 那里 那么'
  ).split(' '),
)
/** A prompt with a referring word and no more words that carry meaning leaves its subject unsaid. */
const MAX_FOLLOWING_WORDS = 2

function isFollowUp(reader: ContentWordReader, prompt: string): boolean {
  const isReferring = (word: string) => REFERRING.has(word.toLowerCase())
  const meaning = reader.readForms(prompt).filter(({ form }) => !isReferring(form)).length
  return meaning === 0 || (meaning <= MAX_FOLLOWING_WORDS && wordsOf(prompt).some(isReferring))
}

async function isAbout(stop: StoppedScope, asked: { prompt: string; earlier: string | null }): Promise<boolean> {
  const reader = new ContentWordReader()
  let matcher = matchers.get(stop)
  if (!matcher) {
    const [target = '', ...examples] = [stop.target, ...stop.examples].map(withoutMarkup)
    matcher = new ExampleMatcher(reader, { examples: [target, ...examples], keywords: [target] })
    matchers.set(stop, matcher)
  }
  const prompt = withoutMarkup(asked.prompt)
  const texts = asked.earlier !== null && isFollowUp(reader, prompt) ? [prompt, withoutMarkup(asked.earlier)] : [prompt]
  return texts.some((text) => matcher.matches(readPrompt(reader, text)))
}
