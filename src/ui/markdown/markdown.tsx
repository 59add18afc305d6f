import type { Token, Tokens } from 'marked'
import { type ComponentType, createContext, createElement, type JSX, memo, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { t, useTranslate } from '../language/translate.ts'
import { type Block, type ExtendedMarks, lexBlocks } from './blocks.ts'
import { DEEPEST } from './bounded-tokenizer.ts'
import { CitationContext, CitedText, mayCite } from './citations.ts'
import type { CodeProps } from './code-block.tsx'
import { decodeEntities } from './entities.ts'
import { safeAddress } from './safe-address.ts'
import type { TableProps } from './table-block.tsx'

/** Characters parsed, and blocks and characters rendered, per step, so no task blocks the page. */
const CHARACTERS_READ_A_STEP = 20_000
const BLOCKS_A_STEP = 200
const CHARACTERS_A_STEP = 6_000
/** Extra rendering cost of a list item or cell, in characters. */
const CHARACTERS_AN_ITEM = 16

const PlainCode = ({ code }: CodeProps): ReactNode => (
  <figure className="code" dir="ltr">
    {/* A region that scrolls must be reachable by keyboard. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre tabIndex={0}>
      <code>{code}</code>
    </pre>
  </figure>
)

const PlainTable = ({ children }: TableProps): ReactNode => (
  // A region that scrolls must be reachable by keyboard.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className="table" tabIndex={0} role="group" aria-label={t('Table')} dir="auto">
    {children}
  </div>
)

export interface Blocks {
  Code: ComponentType<CodeProps>
  Table: ComponentType<TableProps>
}

/** Renders code and tables. `RICH_BLOCKS` are loaded with the messages, since a first visit has none. */
export const BlocksContext = createContext<Blocks>({ Code: PlainCode, Table: PlainTable })

interface MarkdownProps {
  text: string
  /** Set while the text is streaming: `completeMarkdown` of streaming-markdown.ts, which the first visit doesn't need. */
  complete?: ((source: string) => string) | undefined
}

/** Renders Markdown. HTML is shown as text, images as links, and unsafe addresses are not linked. */
export const Markdown = memo(function Markdown({ text, complete }: MarkdownProps): ReactNode {
  const isStreaming = complete !== undefined
  const { marks, areMarksComing } = useExtendedMarks(text)
  const [{ read, drawn }, setStep] = useState({ read: CHARACTERS_READ_A_STEP, drawn: 0 })
  const whole = complete ? (marks?.complete ?? complete)(text) : text
  const source = whole.slice(0, read)
  const before = useRef<ReturnType<typeof lexBlocks> & { isStreaming: boolean; marks: ExtendedMarks | undefined }>(undefined)
  const isSameKind = before.current?.isStreaming === isStreaming && before.current.marks === marks
  if (!isSameKind || before.current?.source !== source) {
    // A complete text is parsed as a whole if it fits one step, because references may be defined at its end.
    const goesOn = before.current?.marks === marks && ((isSameKind && isStreaming) || source.length > CHARACTERS_READ_A_STEP)
    before.current = { ...lexBlocks(source, goesOn ? before.current : undefined, marks), isStreaming, marks }
  }
  const { blocks } = before.current
  const shown = endOfStep(blocks, drawn)
  const runs = useRef<Run[]>([])
  runs.current = runsOf(blocks.slice(0, shown), runs.current)
  const hasMore = shown < blocks.length || source.length < whole.length
  const nextRead = source.length < read ? read : read + CHARACTERS_READ_A_STEP
  // Unchanged without more to render, so a streaming text triggers no effect.
  const nextDrawn = hasMore ? shown : drawn
  useEffect(() => {
    // Text parsed before the extensions are loaded is parsed again.
    if (!hasMore || areMarksComing) return
    const timer = setTimeout(() => setStep({ read: nextRead, drawn: nextDrawn }))
    return () => clearTimeout(timer)
  }, [hasMore, areMarksComing, nextRead, nextDrawn])
  return (
    <div className="prose" dir="auto">
      {runs.current.map((run, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- blocks are only ever appended
        <RunView key={index} run={run} isOpen={isStreaming && index === runs.current.length - 1 && shown === blocks.length} />
      ))}
    </div>
  )
})

function endOfStep(blocks: Block[], drawn: number): number {
  const most = Math.min(blocks.length, drawn + BLOCKS_A_STEP)
  let characters = charactersOf(blocks[drawn])
  let end = Math.min(most, drawn + 1)
  while (end < most && (characters += charactersOf(blocks[end])) <= CHARACTERS_A_STEP) end += 1
  return end
}

function charactersOf(block: Block | undefined): number {
  if (!block) return 0
  const { items = [], header = [], rows = [] } = block as Partial<Tokens.List & Tokens.Table>
  return block.raw.length + CHARACTERS_AN_ITEM * (items.length + header.length * (rows.length + 1))
}

let extendedMarks: ExtendedMarks | undefined

/** Formulas, footnotes and diagrams, loaded when a text may contain them. */
function useExtendedMarks(text: string): { marks: ExtendedMarks | undefined; areMarksComing: boolean } {
  const [marks, setMarks] = useState(extendedMarks)
  const [hasFailed, setHasFailed] = useState(false)
  const areMarksComing = !marks && !hasFailed && /\$|\\[([]|\[\^|mermaid/.test(text)
  useEffect(() => {
    if (!areMarksComing) return
    import('./extended-marks.ts')
      .then((loaded) => setMarks((extendedMarks = loaded)))
      .catch((error: unknown) => {
        console.error(error)
        setHasFailed(true)
      })
  }, [areMarksComing])
  return { marks, areMarksComing }
}

type Run = { block: Block; level: number }[]

const BLOCKS_A_RUN = 12

/** Groups blocks into runs. Unchanged runs are the same objects as in `before`. */
function runsOf(blocks: Block[], before: Run[]): Run[] {
  const levels = headingLevels(blocks)
  return Array.from({ length: Math.ceil(blocks.length / BLOCKS_A_RUN) }, (_, index) => {
    const [first, known] = [index * BLOCKS_A_RUN, before[index]]
    const end = Math.min(first + BLOCKS_A_RUN, blocks.length)
    const isKnown = known?.every(({ block, level }, place) => block === blocks[first + place] && level === levels[first + place])
    if (isKnown && known?.length === end - first) return known
    return blocks.slice(first, end).map((block, place) => ({ block, level: levels[first + place] ?? 0 }))
  })
}

const RunView = memo(function RunView({ run, isOpen }: { run: Run; isOpen: boolean }): ReactNode {
  return run.map(({ block, level }, index) => (
    <BlockView key={index} block={block} level={level} isOpen={isOpen && index === run.length - 1} />
  ))
})

/** Heading levels: below the page's own h1 and h2, in order, without gaps. */
function headingLevels(blocks: Block[]): number[] {
  const open: number[] = []
  return blocks.map((block) => {
    if (block.type !== 'heading') return 0
    while (open.length > 0 && open.at(-1)! >= block['depth']) open.pop()
    open.push(block['depth'])
    return Math.min(open.length + 2, 6)
  })
}

const BlockView = memo(function BlockView({ block, level, isOpen }: { block: Block; level: number; isOpen: boolean }): ReactNode {
  return level > 0 ? <Heading level={level} tokens={(block as Tokens.Heading).tokens} /> : renderBlock(block, 0, isOpen)
})

function Heading({ level, tokens }: { level: number; tokens: Token[] }): ReactNode {
  const Element = `h${level}` as keyof JSX.IntrinsicElements
  return <Element dir="auto">{inline(tokens)}</Element>
}

function renderBlock(token: Tokens.Generic, depth: number, isOpen: boolean): ReactNode {
  if (depth > DEEPEST) return token.raw
  switch (token.type) {
    case 'heading':
    // A heading in a quote or list would break the document outline.
    case 'paragraph':
      // Quotes, lists and tables take one direction from their first words.
      return <p dir={depth > 0 ? undefined : 'auto'}>{inline(token.tokens)}</p>
    case 'code':
      return <Code code={token['text']} language={token['lang'] ?? ''} isOpen={isOpen} />
    case 'blockquote':
      return <blockquote dir="auto">{nested(token.tokens, depth)}</blockquote>
    case 'list':
      return renderList(token as Tokens.List, depth)
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'hr':
      return <hr />
    case 'space':
    case 'def':
      return null
    case 'html':
      return <RawText text={token['text']} />
    default:
      return token.tokens && !token['draw'] ? inline(token.tokens) : renderInline(token, depth)
  }
}

const nested = (tokens: Token[] = [], depth = 0): ReactNode =>
  tokens.map((token, key) => <Nested key={key} token={token} depth={depth + 1} />)

const Nested = ({ token, depth }: { token: Token; depth: number }): ReactNode => renderBlock(token, depth, false)

/** Lines of text that are laid out together: while a text grows, only its last lines are laid out again. */
const RAW_LINES = /(?:[^\n]*\n){0,199}[^\n]*(?:\n|$)/g

function RawText({ text }: { text: string }): ReactNode {
  const parts = (text.match(RAW_LINES) ?? []).filter(Boolean)
  if (parts.length < 2) return <p className="raw">{text}</p>
  return (
    <div className="raw">
      {parts.map((part, key) => (
        // oxlint-disable-next-line react/no-array-index-key -- text is only ever appended
        <div key={key}>{part}</div>
      ))}
    </div>
  )
}

const Code = (props: CodeProps): ReactNode => createElement(use(BlocksContext).Code, props)

function renderList({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const List = ordered ? 'ol' : 'ul'
  return (
    <List start={ordered && start !== '' ? start : undefined} dir="auto">
      {items.map((item, key) => (
        <li key={key} className={item.task ? 'task' : undefined}>
          {nested(item.tokens, depth)}
        </li>
      ))}
    </List>
  )
}

function Table({ table: { header, rows } }: { table: Tokens.Table }): ReactNode {
  useTranslate()
  const cells = (row: Tokens.TableCell[], Cell: 'th' | 'td') =>
    row.map(({ tokens, align }, key) => (
      <Cell key={key} style={align ? { textAlign: align } : undefined}>
        {inline(tokens)}
      </Cell>
    ))
  const { Table: Frame } = use(BlocksContext)
  return (
    <Frame>
      <table>
        <thead>
          <tr>{cells(header, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, key) => (
            <tr key={key}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </Frame>
  )
}

const inline = (tokens: Token[] = [], depth = 0): ReactNode =>
  tokens.map((token, key) => <Inline key={key} token={token} depth={depth + 1} />)

const Inline = memo(function Inline({ token, depth }: { token: Token; depth: number }): ReactNode {
  return renderInline(token, depth)
})

function renderInline(token: Tokens.Generic, depth: number): ReactNode {
  if (depth > DEEPEST) return token.raw
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens, depth)}</strong>
    case 'em':
      return <em>{inline(token.tokens, depth)}</em>
    case 'del':
      return <del>{inline(token.tokens, depth)}</del>
    case 'codespan':
      return <code dir="ltr">{token['text']}</code>
    case 'br':
      return <br />
    case 'link': {
      const link = <SafeLink address={token['href']}>{token['autolink'] ? token['text'] : inline(token.tokens, depth)}</SafeLink>
      return REFERENCES.test(token.raw) ? <CitedText text={token.raw} instead={link} /> : link
    }
    case 'image':
      return <SafeLink address={token['href']}>{t('Image: {name}', { name: token['text'] || token['href'] })}</SafeLink>
    case 'checkbox':
      return <input type="checkbox" checked={token['checked']} disabled aria-label={token['checked'] ? t('Done') : t('To do')} readOnly />
    case 'html':
      return /^<br\s*\/?>$/i.test(token['text']) ? <br /> : token['text']
    case 'text':
      return token.tokens ? inline(token.tokens, depth) : plainText(decodeEntities(token['text']))
    default:
      return token['draw']?.(inline) ?? token['text'] ?? token.raw
  }
}

/** Reference links (`[1]: https://…`). A source with that number takes precedence. */
const REFERENCES = /^(?:\[\d{1,3}\]){1,2}$/

const plainText = (text: string): ReactNode => (mayCite(text) ? <CitedText text={text} /> : text)

function SafeLink({ address, children }: { address: string; children: ReactNode }): ReactNode {
  const href = safeAddress(address)
  if (!href) return children
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {/* No button within a link. */}
      <CitationContext value={null}>{children}</CitationContext>
    </a>
  )
}
