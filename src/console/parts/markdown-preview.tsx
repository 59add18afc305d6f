import { marked, type Token } from 'marked'
import { createElement, type ReactNode } from 'react'
import { t } from '../../ui/language/translate.ts'

const MAX_CHARACTERS = 50_000
const MAX_DEPTH = 20
/** Headings stand below that of the form. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const

/** Shows how Markdown reads. Elements are made without HTML in between: HTML is shown as text, pictures as their description. */
export function MarkdownPreview({ text }: { text: string }): ReactNode {
  const tokens = marked.lexer(text.slice(0, MAX_CHARACTERS))
  return (
    <div className="preview" dir="auto">
      {drawn(tokens, 0)}
      {text.length > MAX_CHARACTERS && <p className="muted">{t('The rest is not shown here.')}</p>}
    </div>
  )
}

function drawn(tokens: readonly Token[], depth: number): ReactNode[] {
  // oxlint-disable-next-line react/no-array-index-key -- the preview is rendered again as a whole
  return tokens.map((token, at) => <Drawn key={at} token={token} depth={depth} />)
}

function Drawn({ token, depth }: { token: Token; depth: number }): ReactNode {
  const inside = () => ('tokens' in token && token.tokens && depth < MAX_DEPTH ? drawn(token.tokens, depth + 1) : textOf(token))
  switch (token.type) {
    case 'heading':
      return createElement(HEADINGS[(token as { depth: number }).depth - 1] ?? 'h6', null, inside())
    case 'paragraph':
      return <p>{inside()}</p>
    case 'strong':
      return <strong>{inside()}</strong>
    case 'em':
      return <em>{inside()}</em>
    case 'list':
      return createElement(
        (token as { ordered: boolean }).ordered ? 'ol' : 'ul',
        { className: 'examples' },
        drawn(itemsOf(token), depth + 1),
      )
    case 'list_item':
      return <li>{inside()}</li>
    case 'blockquote':
      return <blockquote>{inside()}</blockquote>
    case 'code':
    case 'codespan':
      return <code>{textOf(token)}</code>
    case 'link':
      return (
        <>
          {inside()} <span className="muted">({(token as { href: string }).href})</span>
        </>
      )
    case 'br':
      return <br />
    case 'hr':
      return <hr />
    case 'table':
      return <p className="passage">{token.raw}</p>
    case 'space':
    case 'def':
      return null
    default:
      return inside()
  }
}

const itemsOf = (token: Token) => (token as { items?: Token[] }).items ?? []
const textOf = (token: Token) => ('text' in token ? String(token.text) : token.raw)
