import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { McpTool } from './mcp-connection.ts'

const File = z.record(z.string(), z.string())

/**
 * The tools' definitions as they were first listed, by hash, in a file of the data folder. What a tool says that it does may change after
 * an operator has trusted it.
 */
export class ToolPins {
  readonly #path: string
  readonly #onWarning: (message: string, cause?: unknown) => void
  readonly #pinned: Record<string, string>
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, pinned: Record<string, string>, onWarning: (message: string, cause?: unknown) => void) {
    this.#path = path
    this.#pinned = pinned
    this.#onWarning = onWarning
  }

  static async open(path: string, onWarning: (message: string, cause?: unknown) => void): Promise<ToolPins> {
    const text = await readFile(path, 'utf8').catch(() => '{}')
    try {
      return new ToolPins(path, File.parse(JSON.parse(text)), onWarning)
    } catch (cause) {
      onWarning(`${path} cannot be read; the tools of MCP servers are taken as they are listed now`, cause)
      return new ToolPins(path, {}, onWarning)
    }
  }

  /** Whether a tool is no longer what it was; a new one is from now on what it is. */
  isChanged(server: string, { name, title, description, inputSchema, annotations }: McpTool): boolean {
    const definition = JSON.stringify({ name, title, description, inputSchema, annotations }, sorted)
    const hash = createHash('sha256').update(definition).digest('base64url')
    const key = `${server}/${name}`
    const before = this.#pinned[key]
    if (before !== undefined) return before !== hash
    this.#pinned[key] = hash
    this.#writing = this.#writing
      .then(() => this.#write())
      .catch((cause: unknown) => this.#onWarning(`Writing ${this.#path} failed`, cause))
    return false
  }

  /** Resolves when what was pinned is stored. */
  close(): Promise<void> {
    return this.#writing
  }

  async #write(): Promise<void> {
    const next = `${this.#path}.new`
    await writeFile(next, `${JSON.stringify(this.#pinned, sorted, 2)}\n`, { mode: 0o600 })
    await rename(next, this.#path)
  }
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
