import type { ReactNode } from 'react'
import { type ToolPart, toolNameOf } from '../../../contract/tool-part.ts'

/** What a tool was given, or returned, to the letter. */
export function Shown({ value }: { value: unknown }): ReactNode {
  return <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</dd>
}

/** The tool's title, or its name in words: `convert_units` and `convertUnits` become "Convert units". */
export function toolTitle(part: ToolPart): string {
  if (part.title) return part.title
  const words = toolNameOf(part)
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
