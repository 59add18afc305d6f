import type { ReactNode } from 'react'
import { type ToolPart, toolNameOf } from '../../../../contract/chat/parts/tool.ts'
import { t, type MessageText, defineMessage } from '../../../../ui/language/translate.ts'

const BUILT_IN_TITLES: Partial<Record<string, MessageText>> = {
  calculator: defineMessage('Calculator'),
  search_knowledge: defineMessage('Knowledge search'),
  fetch_page: defineMessage('Web page'),
}

/** The exact input of a tool call that awaits approval. */
export function RawValue({ value }: { value: unknown }): ReactNode {
  return <dd dir="auto">{textOfValue(value)}</dd>
}

/** Any value as text, JSON unless it is one; untrusted. */
export const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

/** The tool's title: its own, a translated one for built-in tools, or its name as words. */
export function toolTitle(part: ToolPart): string {
  if (part.title) return part.title
  const name = toolNameOf(part)
  const builtIn = BUILT_IN_TITLES[name]
  return builtIn ? t(builtIn) : humanizeName(name)
}

/** A name as words: `order_tea` and `orderTea` become "Order tea". */
function humanizeName(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
