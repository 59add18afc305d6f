import type { PageLanguage } from '../../contract/page-languages.ts'
import type { FixedReply } from './agent-policy.ts'
import { ContentWordReader } from './content-words.ts'
import { ExampleMatcher, readPrompt } from './example-matcher.ts'
import { SUSPENDED } from './fixed-sentences.ts'
import { replyIn } from './policy.ts'

/** A stop by staff, as far as answers depend on it. */
export interface StoppedScope {
  scope: 'all' | 'agent' | 'topic' | 'file'
  /** The agent's id, the topic's words, or the file's path; empty for everything. */
  target: string
  /** Prompts that belong to the topic; topics only. */
  examples: readonly string[]
  /** Reply to visitors; `null` for a general sentence. */
  reply: string | null
}

const matchers = new WeakMap<StoppedScope, ExampleMatcher>()

/** The first stop that concerns a prompt to an agent; `undefined` if none does. Files concern answers, not prompts. */
export async function stopConcerning<Stop extends StoppedScope>(
  stops: readonly Stop[],
  { agent, prompt }: { agent: string; prompt: string },
): Promise<Stop | undefined> {
  for (const stop of stops) {
    if (stop.scope === 'all' || (stop.scope === 'agent' && stop.target === agent)) return stop
    if (stop.scope === 'topic' && (await isAbout(stop, prompt))) return stop
  }
  return undefined
}

/** Reply to a prompt that a stop concerns. */
export function stopReply({ reply }: Pick<StoppedScope, 'reply'>, language: PageLanguage | null): FixedReply {
  return { kind: 'stop', text: reply ?? replyIn(SUSPENDED, language), state: 'suspended' }
}

/** The files that may not be used. */
export function stoppedFiles(stops: readonly StoppedScope[]): string[] {
  return stops.filter(({ scope }) => scope === 'file').map(({ target }) => target)
}

async function isAbout(stop: StoppedScope, prompt: string): Promise<boolean> {
  const reader = new ContentWordReader()
  let matcher = matchers.get(stop)
  if (!matcher) {
    const { target, examples } = stop
    matcher = new ExampleMatcher(reader, { examples: [target, ...examples], keywords: [target] })
    matchers.set(stop, matcher)
  }
  return matcher.score(readPrompt(reader, prompt)) > 0
}
