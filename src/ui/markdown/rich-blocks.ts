import { CodeBlock } from './code-block.tsx'
import type { Blocks } from './markdown.tsx'
import { TableBlock } from './table-block.tsx'

/** Blocks with tools, for `BlocksContext` where messages are shown. */
export const RICH_BLOCKS: Blocks = { Code: CodeBlock, Table: TableBlock }
