import { judgeRequest, rejectedIn, sentencesIn } from '../src/server/answering/facts/judge.ts'
import { complete } from '../src/server/answering/completion.ts'
import { AgentFailure } from '../src/server/models/agent-failure.ts'
import type { Settings } from '../src/server/config/config.ts'
import { isDropped, type Pair, rates, supportSets } from './facts.ts'
import type { EvalOptions } from './options.ts'
import { percent } from './published.ts'
import { connectJudge } from './rubric-judge.ts'

/** The machine may be busy with other things than the model. */
const TIMEOUT_MS = 300_000
/** Longest evidence in a sample, so that a small model can read it. */
const SAMPLED_CHARACTERS = 1_000

/**
 * Measures the configured model as the judge of answers (`judge: model`) on published claims, beside the fact check and a judge that
 * rejects nothing. `sample`: claims with short evidence of each set, half of them unsupported where there are as many; `null` for all.
 */
export async function measureJudge(
  settings: Pick<Settings, 'model'>,
  { data, sample }: Pick<EvalOptions, 'data' | 'sample'>,
  say: (line: string) => void,
): Promise<void> {
  const model = await connectJudge(settings, say)
  const verdicts = new Map<Pair, string[] | null>()
  const judge = async (pair: Pair): Promise<string[] | null> => {
    const sentences = sentencesIn(pair.claim)
    const request = judgeRequest(sentences, `[1] ${pair.evidence}`)
    try {
      return rejectedIn((await complete(model, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) })).text, sentences)
    } catch (error) {
      if (error instanceof AgentFailure && error.code === 'model_unavailable') throw error
      say(`no verdict: ${error instanceof Error ? error.message.replaceAll(/\s+/g, ' ').slice(0, 100) : String(error)}`)
      return null
    }
  }
  const judged: Pair[] = []
  const report = (name: string, pairs: readonly Pair[]) => {
    const [ofJudge, ofFacts] = [rates(pairs, (pair) => (verdicts.get(pair)?.length ?? 0) > 0), rates(pairs, isDropped)].map(
      ({ precision, found, accuracy }) => [precision, found, accuracy].map(percent).join(', '),
    )
    const failed = pairs.filter((pair) => verdicts.get(pair) === null).length
    const unsupported = pairs.filter(({ supported }) => !supported).length
    const nothing = percent(rates(pairs, () => false).accuracy)
    say(`| ${name} (${pairs.length}, ${unsupported} unsupported) | ${ofJudge} | ${failed} | ${ofFacts} | ${nothing} |`)
  }
  say(
    '| claims | judge: precision, recall, accuracy | no verdict | fact check: precision, recall, accuracy | rejecting nothing: accuracy |',
  )
  say('|---|---|---|---|---|')
  for (const [name, all] of supportSets(data)) {
    const pairs = sample === null ? all : sampled(all, sample)
    for (const pair of pairs) verdicts.set(pair, await judge(pair))
    judged.push(...pairs)
    if (pairs.length > 0) report(name, pairs)
  }
  report('all', judged)
}

function sampled(pairs: readonly Pair[], size: number): Pair[] {
  const short = pairs.filter(({ evidence }) => evidence.length <= SAMPLED_CHARACTERS)
  return [true, false].flatMap((supported) => {
    const some = short.filter((pair) => pair.supported === supported)
    const step = Math.max(1, some.length / Math.ceil(size / 2))
    return Array.from({ length: Math.min(some.length, Math.ceil(size / 2)) }, (_, at) => some[Math.floor(at * step)]).flatMap(
      (pair) => pair ?? [],
    )
  })
}
