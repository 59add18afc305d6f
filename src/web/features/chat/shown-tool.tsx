import type { ReactNode } from 'react'
import { type ToolPart, toolNameOf } from '../../../contract/tool-part.ts'
import { say, type Sentence, sentence } from '../../language/translate.ts'
import { inWords } from './tool-reading.ts'

/** Those that the server brings along. */
const OWN_TITLES: Partial<Record<string, Sentence>> = {
  calculator: sentence('Calculator'),
  date_time: sentence('Date and time'),
  convert_units: sentence('Unit conversion'),
  search_knowledge: sentence('Knowledge search'),
  web_search: sentence('Web search'),
  fetch_page: sentence('Web page'),
}

/** What a tool would be given, to the letter: it is to be allowed. */
export function Shown({ value }: { value: unknown }): ReactNode {
  return <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</dd>
}

/** The tool's title, in the reader's language for one of our own, or its name in words. */
export function toolTitle(part: ToolPart): string {
  if (part.title) return part.title
  const name = toolNameOf(part)
  const own = OWN_TITLES[name]
  return own ? say(own) : inWords(name)
}
