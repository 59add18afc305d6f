import type { Page } from 'playwright-core'
import { HOSTILE_MARKDOWN } from '../test/support/hostile-markdown.ts'
import { startScriptedModel } from '../test/support/scripted-model.ts'
import { tasksDuring } from './support/main-thread.ts'
import { type Figure, milliseconds, withinBound } from './support/measurement.ts'
import { ask, enter, withVisitor } from './support/own-page.ts'
import { withProcesses } from './support/processes.ts'

/** Length of an answer, below the limit of 256 K. */
const CHARACTERS = 200_000
const CHARACTERS_A_TOKEN = 400
const TOKENS_PER_SECOND = 200
const ANSWER_LIMIT_MS = 120_000
/** Limit for the longest task of the main thread. */
const LONGEST_TASK_MS = 200

const repeated = (mark: string) => mark.repeat(Math.ceil(CHARACTERS / mark.length))

/** Answers that take an unbounded page seconds to lex, draw or lay out. */
const ANSWERS: Record<string, string> = {
  prose: repeated('Some words. '),
  '[': repeated('['),
  '![': repeated('!['),
  '*': repeated('*'),
  $$: repeated('$$'),
  $x$: repeated('$x$ '),
  'x_ in paragraphs': repeated(`${'x_'.repeat(1_900)}\n\n`),
  tables: repeated('| a | b |\n|---|---|\n| 1 | 2 |\n\n'),
  'one table': `|a|b|\n|-|-|\n${repeated('|1|2|\n')}`,
  'one list': repeated('- x\n'),
  'one loose list': repeated('- x\n\n'),
  'one numbered list': repeated('1. x\n'),
  'quotes in quotes': '> '.repeat(1_000),
  'lines of code': `\`\`\`\n${repeated('x\n')}`,
  ...Object.fromEntries(Object.entries(HOSTILE_MARKDOWN).map(([name, hostile]) => [name, hostile(CHARACTERS)])),
}

/** Longest task of the page's main thread while hostile answers stream in, in CPU time because the machine is shared. */
export const hostileMarks: Figure = {
  name: 'hostile-marks',
  async measure() {
    const model = await startScriptedModel()
    try {
      return await withProcesses(async (processes) => {
        const settings = { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' }
        const { url } = await processes.parley({ settings, dataDirectory: processes.folder() })
        const measurements = []
        for (const [name, text] of Object.entries(ANSWERS)) {
          model.script([{ text: text.match(new RegExp(`[^]{1,${CHARACTERS_A_TOKEN}}`, 'g')) ?? [], tokensPerSecond: TOKENS_PER_SECOND }])
          const longestMs = await withVisitor((page) => longestTaskMs(page, url))
          measurements.push(withinBound(`longest task, ${CHARACTERS / 1_000} K of ${name}`, longestMs, LONGEST_TASK_MS, milliseconds))
        }
        return measurements
      })
    } finally {
      await model.close()
    }
  },
}

async function longestTaskMs(page: Page, address: string): Promise<number> {
  await enter(page, address)
  const [longest] = await tasksDuring(page, () => ask(page, 'Go on', ANSWER_LIMIT_MS))
  return longest ?? 0
}
