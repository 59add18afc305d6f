import type { ReactNode } from 'react'
import { type ToolPart, toolNameOf } from '../../../../contract/parts/tool.ts'
import { t, type MessageText, defineMessage } from '../../../language/translate.ts'
import { humanizeName } from './display-value.ts'

/** Those that the server brings along. */
const OWN_TITLES: Partial<Record<string, MessageText>> = {
  calculator: defineMessage('Calculator'),
  date_time: defineMessage('Date and time'),
  convert_units: defineMessage('Unit conversion'),
  search_knowledge: defineMessage('Knowledge search'),
  web_search: defineMessage('Web search'),
  fetch_page: defineMessage('Web page'),
}

/** What a tool would be given, to the letter: it is to be allowed. */
export function RawValue({ value }: { value: unknown }): ReactNode {
  return <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</dd>
}

/** The tool's title, in the reader's language for one of our own, or its name in words. */
export function toolTitle(part: ToolPart): string {
  if (part.title) return part.title
  const name = toolNameOf(part)
  const own = OWN_TITLES[name]
  return own ? t(own) : humanizeName(name)
}
