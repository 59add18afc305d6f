import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { CalculatorResult } from '../../tools/calculator.ts'
import type { ConvertResult } from '../../tools/units.ts'
import type { CurrentTime } from '../../tools/date-time.ts'
import { MAX_SUGGESTIONS } from '../../suggestions.ts'
import { type SearchKnowledgeResult, sourceTitle } from '../../../knowledge/retrieval/search.ts'

/** What the built-in assistant says. */
export interface Answer {
  text: string
  source?: { title: string; filename: string }
  topics?: string[]
}

/** The answer from a tool's result. */
export function answerFrom(result: LanguageModelV4ToolResultPart): Answer {
  const { output } = result
  if (output.type !== 'json') return { text: 'Sorry, that did not work this time. Please try again.' }
  switch (result.toolName) {
    case 'calculator':
      return calculationAnswer(output.value as CalculatorResult)
    case 'date_time':
      return timeAnswer(output.value as unknown as CurrentTime | { error: string })
    case 'convert_units':
      return conversionAnswer(output.value as ConvertResult)
    default:
      return knowledgeAnswer(output.value as unknown as SearchKnowledgeResult)
  }
}

/** What is left of an answer that broke off after `said`; the whole answer when it would be another one by now. */
export function restOf(answer: Answer, said: string): Answer {
  if (said === '') return answer
  if (!answer.text.startsWith(said)) return { ...answer, text: `\n\n${answer.text}` }
  const text = answer.text.slice(said.length)
  return { ...answer, text: text.trim() === '' ? '\n\nThat was all.' : text }
}

export const UNKNOWN_TEXT =
  'I don’t know that. I am a small built-in assistant: I only know the files of this site, and I can calculate, convert units and tell the time.'

function calculationAnswer(result: CalculatorResult): Answer {
  if ('error' in result) return { text: `I could not calculate that. ${result.error}` }
  return { text: `${readable(result.expression)} = **${result.text}**` }
}

/** Stars are signs of multiplication here, not of Markdown. */
function readable(expression: string): string {
  return expression
    .replace(/\*\*/g, '^')
    .replace(/\s*\*\s*/g, ' × ')
    .replace(/[\\_`[\]<>]/g, (sign) => `\\${sign}`)
}

function conversionAnswer(result: ConvertResult): Answer {
  if ('error' in result) {
    return {
      text: `I could not convert that. ${result.error} I know length, area, volume, weight, temperature, time, data, speed, energy, power and pressure, but no currencies.`,
    }
  }
  const [left = '', right = ''] = result.text.split(' = ')
  return { text: `${left} = **${right}**` }
}

function timeAnswer(result: CurrentTime | { error: string }): Answer {
  if ('error' in result) return { text: `I could not find that place. ${result.error}` }
  const date = `${result.weekday}, ${result.date}`
  if (result.place === 'UTC') {
    return { text: `It is **${result.time}** on ${date}, in UTC. I do not know where you are: name a city and I tell you the time there.` }
  }
  return {
    text: `It is **${result.time}** on ${date}, in ${result.timeZone.replace(/^.*\//, '').replaceAll('_', ' ')} (${result.timeZone}, ${result.utcOffset}).`,
  }
}

function knowledgeAnswer({ passages, topics }: SearchKnowledgeResult): Answer {
  const best = passages[0]
  if (!best) return { text: UNKNOWN_TEXT, ...(topics.length > 0 && { topics }) }
  const related = [...new Set(passages.map(({ heading }) => heading))].filter((heading) => heading !== best.heading)
  return {
    text: `**${best.heading}**\n\n${best.text}`,
    source: { title: sourceTitle(best), filename: best.file },
    ...(related.length > 0 && { topics: related.slice(0, MAX_SUGGESTIONS) }),
  }
}
