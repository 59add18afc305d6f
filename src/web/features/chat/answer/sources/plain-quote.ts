import type { Token, Tokens } from 'marked'
import { lexBlocks } from '../../../../../ui/markdown/blocks.ts'
import { decodeEntities } from '../../../../../ui/markdown/entities.ts'

/** Lists and quotes nested deeper are omitted. */
const MAX_DEPTH = 20

/** A passage as plain text: one line per block, list item and table row. Drops images and link targets; HTML becomes plain text. */
export function plainQuote(markdown: string): string {
  return lexBlocks(markdown)
    .blocks.flatMap((block) => linesOf(block, 0))
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

function linesOf(token: Tokens.Generic, depth: number): string[] {
  if (depth > MAX_DEPTH) return []
  switch (token.type) {
    case 'list':
      return (token as Tokens.List).items.flatMap(({ tokens }) => {
        const [first = '', ...rest] = tokens.flatMap((child) => linesOf(child, depth + 1))
        return [`• ${first}`, ...rest]
      })
    case 'blockquote':
      return (token.tokens ?? []).flatMap((child) => linesOf(child, depth + 1))
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows].map((row) => row.map(({ tokens }) => textIn(tokens, depth)).join(' · '))
    }
    case 'code':
      return [token['text']]
    case 'hr':
    case 'def':
      return []
    default:
      return [token.tokens ? textIn(token.tokens, depth) : decodeEntities(token['text'] ?? '')]
  }
}

function textIn(tokens: Token[] = [], depth: number): string {
  if (depth > MAX_DEPTH) return ''
  return tokens.map((token: Tokens.Generic) => inlineText(token, depth + 1)).join('')
}

function inlineText(token: Tokens.Generic, depth: number): string {
  switch (token.type) {
    case 'br':
      return '\n'
    case 'codespan':
      return token['text']
    case 'image':
    case 'checkbox':
      return ''
    case 'html':
      return token['text']
    default:
      return token.tokens ? textIn(token.tokens, depth) : decodeEntities(token['text'] ?? token.raw)
  }
}
