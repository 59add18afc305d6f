import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { pagesDirectory } from '../eval/collections/collection.ts'
import { fetchCollection } from '../eval/collections/fetch.ts'
import { SmallSet } from '../eval/small-set.ts'
import { Visitor } from '../eval/visitor.ts'
import { type RecordedRequest, type Script, startScriptedModel } from '../test/support/scripted-model.ts'
import { type Figure, milliseconds, reachesBound, withinBound } from './support/measurement.ts'
import { withProcesses } from './support/processes.ts'

const CALL_MS = 400
const TURNS = 8
const CHARACTERS_PER_TOKEN = 4
const SET = join(import.meta.dirname, '../eval/small/debian-faq.yaml')

/**
 * Measures the cost of a question about the knowledge, with a model that takes 400 ms a call, answers what its passages answer, and searches again for
 * anything else: the covered questions of another author about the Debian FAQ, in chats of eight turns.
 */
export const passagesFirst: Figure = {
  name: 'passages-first',
  measure: () =>
    withProcesses(async (processes) => {
      const set = SmallSet.parse(parse(readFileSync(SET, 'utf8')))
      await fetchCollection(set)
      const knowledge = join(processes.folder(), 'knowledge')
      mkdirSync(knowledge)
      const pages = readdirSync(pagesDirectory(set)).filter((page) => new RegExp(set.pages).test(page))
      for (const page of pages) copyFileSync(join(pagesDirectory(set), page), join(knowledge, page))
      const questions = set.questions.flatMap(({ question, right }) => (right ? [{ question, right }] : []))
      const model = await startScriptedModel()
      let requests: number[] = []
      model.script((request) => {
        requests.push(JSON.stringify([request.body.messages, request.body.tools]).length / CHARACTERS_PER_TOKEN)
        return scriptOf(request, questions)
      })
      const settings = { KNOWLEDGE_DIR: knowledge, OPENAI_BASE_URL: model.baseUrl, MODEL: 'm' }
      const { url } = await processes.parley({ dataDirectory: processes.folder(), settings })
      const [calls, tokens, firstWords] = [[], [], []] as [number[], number[], number[]]
      try {
        for (let first = 0; first < questions.length; first += TURNS) {
          const visitor = new Visitor(url, 'assistant')
          for (const { question } of questions.slice(first, first + TURNS)) {
            requests = []
            const { firstWordMs } = await visitor.ask(question)
            calls.push(requests.length)
            tokens.push(sum(requests))
            if (requests.length === 1 && firstWordMs !== undefined) firstWords.push(firstWordMs)
          }
        }
      } finally {
        await model.close()
      }
      return [
        reachesBound('questions answered with one call', (100 * calls.filter((count) => count === 1).length) / calls.length, 80, percent),
        withinBound('input tokens a turn, mean', sum(tokens) / tokens.length, 5_000, (value) => value.toFixed(0)),
        withinBound(
          'first word of an answer of one call, median',
          firstWords.toSorted((a, b) => a - b)[Math.floor(firstWords.length / 2)] ?? Number.NaN,
          460,
          milliseconds,
        ),
      ]
    }),
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const percent = (value: number) => `${value.toFixed(0)} %`

function scriptOf({ body, prompt }: RecordedRequest, questions: readonly { question: string; right: string[] }[]): Script {
  const asked = questions.find(({ question }) => prompt.includes(question))
  const knows = asked?.right.every((expression) => new RegExp(expression, 'i').test(JSON.stringify(body.messages)))
  const hasSearched = body.messages.at(-1)?.role === 'tool'
  return [
    { pauseMs: CALL_MS },
    knows || hasSearched
      ? { text: 'It is in the passage [1].' }
      : { toolCall: { name: 'search_knowledge', arguments: { query: asked?.question ?? prompt } } },
  ]
}
