import type { getDocumentProxy } from 'unpdf'

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>

/** A thin horizontal line of a page. */
export interface Line {
  x0: number
  x1: number
  y: number
  thickness: number
}
/** Lines that are drawn on a page, and the widths of its characters. */
export interface Drawing {
  lines: Line[]
  /** Vertical ones, with x and y exchanged. */
  uprights: Line[]
  /** Widths of each font's characters, in thousandths of its size. */
  widths: Map<string, Map<string, number>>
}

export const NO_DRAWING: Drawing = { lines: [], uprights: [], widths: new Map() }

export type Matrix = readonly [number, number, number, number, number, number]
interface State {
  matrix: Matrix
  lineWidth: number
  font: string
}
interface Operations {
  fnArray: number[]
  argsArray: unknown[][]
  length: number
}
interface Glyph {
  unicode: string
  width: number
}

/** The library's numbers for what is drawn. */
const [SET_LINE_WIDTH, SAVE, RESTORE, TRANSFORM, SET_FONT, SHOW_TEXT, BEGIN_FORM, END_FORM, CONSTRUCT_PATH] = [
  2, 10, 11, 12, 37, 44, 74, 75, 91,
] as const
/** Ways to end a path: filled alone, or not drawn; others stroke it. */
const [FILL, EO_FILL, END_PATH] = [22, 23, 28]
/** Numbers after each step of a path: move, line, two curves, close. */
const STEP_NUMBERS = [2, 2, 6, 4, 0]
const MOVE = 0
const EMPTY = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY] as const
const WITHOUT_ANNOTATIONS = 0
/** The library's own method that adds a piece to its list. */
const ADD = '_renderPageChunk'
/** In points, as what follows. */
const MAX_THICKNESS = 8
/** Between the parts of a line. */
const MAX_GAP = 1.5
const Y_TOLERANCE = 0.5
/** More lines are a drawing. */
const MAX_LINES = 5_000
/** Beyond it, reading the lines takes longer than reading the text. */
const MAX_PATHS = 500_000

/** Reads the drawings of a document's pages, of the first `MAX_PATHS` paths. */
export class DrawnLines {
  #paths = 0

  /** As `turn` turns the page. Piece by piece, as the library's own list of a map or a plan doesn't fit into memory. */
  async on(page: PdfPage, turn: Matrix): Promise<Drawing> {
    const reader = new DrawingReader(turn)
    if (this.#paths > MAX_PATHS) return reader
    const inner = page as unknown as Record<typeof ADD, (operations: Operations, state: unknown) => void>
    const add = inner[ADD]
    inner[ADD] = (operations, state) => {
      reader.read(operations)
      add.call(page, { ...operations, fnArray: [], argsArray: [], length: 0 }, state)
    }
    // A page that can't be drawn may still have text.
    await page.getOperatorList({ annotationMode: WITHOUT_ANNOTATIONS }).catch(() => undefined)
    this.#paths += reader.paths
    return { lines: joined(reader.lines), uprights: joined(reader.uprights), widths: reader.widths }
  }
}

class DrawingReader {
  paths = 0
  readonly lines: Line[] = []
  readonly uprights: Line[] = []
  readonly widths: Drawing['widths'] = new Map()
  readonly #saved: State[] = []
  #state: State

  constructor(matrix: Matrix) {
    this.#state = { matrix, lineWidth: 1, font: '' }
  }

  read({ fnArray, argsArray }: Operations): void {
    for (const [index, operation] of fnArray.entries()) this.#draw(operation, argsArray[index] ?? [])
  }

  #draw(operation: number, args: unknown[]): void {
    if (operation === SAVE || operation === BEGIN_FORM) this.#saved.push(this.#state)
    if (operation === RESTORE || operation === END_FORM) this.#state = this.#saved.pop() ?? this.#state
    else if (operation === TRANSFORM) this.#transform(args as unknown as Matrix)
    else if (operation === BEGIN_FORM && args[0]) this.#transform(args[0] as Matrix)
    else if (operation === SET_LINE_WIDTH) this.#state = { ...this.#state, lineWidth: args[0] as number }
    else if (operation === SET_FONT) this.#state = { ...this.#state, font: args[0] as string }
    else if (operation === SHOW_TEXT) addWidths(this.widths, this.#state.font, args[0] as (Glyph | number)[])
    else if (operation === CONSTRUCT_PATH) this.#addPath(args[0] as number, args[1] as [Float32Array | null])
  }

  #addPath(paint: number, [path]: [Float32Array | null]): void {
    this.paths += 1
    if (this.lines.length <= MAX_LINES) addLines(this, this.#state, paint, path)
  }

  #transform(matrix: Matrix): void {
    this.#state = { ...this.#state, matrix: product(this.#state.matrix, matrix) }
  }
}

/** A matrix that does what the second one does, then what the first does. */
export const product = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
]

function addWidths(widths: Drawing['widths'], font: string, glyphs: readonly (Glyph | number)[]): void {
  const known = widths.get(font) ?? new Map<string, number>()
  widths.set(font, known)
  for (const glyph of glyphs) if (typeof glyph === 'object') known.set(glyph.unicode, glyph.width)
}

/** Adds the parts of a path that are thin lines. */
function addLines({ lines, uprights }: Drawing, { matrix, lineWidth }: State, paint: number, path: Float32Array | null): void {
  if (!path || paint === END_PATH) return
  const [a, b, c, d, e, f] = matrix
  const width = paint === FILL || paint === EO_FILL ? 0 : lineWidth * Math.sqrt(Math.abs(a * d - b * c))
  let [x0, y0, x1, y1] = EMPTY
  const end = () => {
    const thickness = y1 - y0 + width
    const isLevel = paint >= FILL || y1 - y0 < Y_TOLERANCE
    if (isLevel && thickness <= MAX_THICKNESS && x1 - x0 > thickness && lines.length <= MAX_LINES)
      lines.push({ x0, x1, y: (y0 + y1) / 2, thickness })
    const across = x1 - x0 + width
    if (across <= MAX_THICKNESS && y1 - y0 > across && uprights.length <= MAX_LINES)
      uprights.push({ x0: y0, x1: y1, y: (x0 + x1) / 2, thickness: across })
    ;[x0, y0, x1, y1] = EMPTY
  }
  for (let at = 0; at < path.length; ) {
    const step = path[at] as number
    if (step === MOVE) end()
    const next = at + 1 + (STEP_NUMBERS[step] ?? path.length)
    for (at += 1; at < next; at += 2) {
      const [x, y] = [path[at] ?? 0, path[at + 1] ?? 0]
      const [pageX, pageY] = [a * x + c * y + e, b * x + d * y + f]
      ;[x0, y0, x1, y1] = [Math.min(x0, pageX), Math.min(y0, pageY), Math.max(x1, pageX), Math.max(y1, pageY)]
    }
  }
  end()
}

/** Joins lines that continue each other. Returns none where there are so many that they are a drawing. */
function joined(lines: readonly Line[]): Line[] {
  const result: Line[] = []
  if (lines.length > MAX_LINES) return result
  for (const line of lines.toSorted((one, other) => Math.round(one.y * 2) - Math.round(other.y * 2) || one.x0 - other.x0)) {
    const before = result.at(-1)
    const isNext = before && Math.abs(before.y - line.y) < Y_TOLERANCE && line.x0 >= before.x0 && line.x0 <= before.x1 + MAX_GAP
    if (isNext) before.x1 = Math.max(before.x1, line.x1)
    else result.push({ ...line })
  }
  return result
}
