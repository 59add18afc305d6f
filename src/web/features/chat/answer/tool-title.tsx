import type { ReactNode } from 'react'
import { type ToolPart, toolNameOf } from '../../../../contract/chat/parts/tool.ts'
import { t, type MessageText, defineMessage } from '../../../../ui/language/translate.ts'
import { humanizeName } from './display-value.ts'

const BUILT_IN_TITLES: Partial<Record<string, MessageText>> = {
  calculator: defineMessage('Calculator'),
  search_knowledge: defineMessage('Knowledge search'),
  web_search: defineMessage('Web search'),
  fetch_page: defineMessage('Web page'),
}

/** The exact input of a tool call that awaits approval. */
export function RawValue({ value }: { value: unknown }): ReactNode {
  return <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</dd>
}

/** The tool's title: its own, a translated one for built-in tools, or its name as words. */
export function toolTitle(part: ToolPart): string {
  if (part.title) return part.title
  const name = toolNameOf(part)
  const builtIn = BUILT_IN_TITLES[name]
  return builtIn ? t(builtIn) : humanizeName(name)
}
