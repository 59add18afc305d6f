import { type FrameMessage, MAX_SOURCE_CHARACTERS, type Picture, readFrameMessage } from './diagram-messages.ts'

/** Written in by the build: the address of the document that draws. */
declare const DIAGRAM_FRAME: string

/** What became of a diagram. */
export type Drawing =
  | { status: 'drawn'; picture: Picture }
  | { status: 'refused'; reason: 'unreadable' | 'too-large' | 'too-slow' | 'not-loaded' }

/** The frame is given up when it has not come by then, or has not drawn by then: it may be in an endless loop. */
const LOADING_MS = 20_000
const DRAWING_MS = 5_000
/** It is let go when nothing was drawn for so long: it takes some 40 MB. */
const IDLE_MS = 30_000
/** Drawings that are kept while the page is open. */
const MOST_KEPT = 30

const kept = new Map<string, Drawing>()
const keyOf = (source: string, isDark: boolean) => `${isDark ? 'dark' : 'light'}\n${source}`

/** The drawing that is already there, if it is. */
export const keptDrawing = (source: string, isDark: boolean): Drawing | undefined => kept.get(keyOf(source, isDark))

let frame: HTMLIFrameElement | undefined
let place: HTMLElement | undefined
let idle: ReturnType<typeof setTimeout> | undefined
let lastNumber = 0
let turn: Promise<unknown> = Promise.resolve()

/** Draws a diagram when those before it are drawn; undefined when it was called off before. */
export function drawDiagram(source: string, isDark: boolean, calledOff: AbortSignal): Promise<Drawing | undefined> {
  const drawing = turn.then(async () => {
    if (calledOff.aborted) return undefined
    const drawn = keptDrawing(source, isDark) ?? (await drawNow(source.toWellFormed(), isDark))
    if (drawn.status === 'drawn' || drawn.reason !== 'not-loaded') keep(keyOf(source, isDark), drawn)
    return drawn
  })
  // A failure is heard by who asked; the next is drawn all the same.
  turn = drawing.catch(() => undefined)
  return drawing
}

function keep(key: string, drawing: Drawing): void {
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
  kept.set(key, drawing)
}

async function drawNow(source: string, isDark: boolean): Promise<Drawing> {
  if (source.length > MAX_SOURCE_CHARACTERS) return { status: 'refused', reason: 'too-large' }
  clearTimeout(idle)
  const ready = await readyFrame()
  if (!ready) return { status: 'refused', reason: 'not-loaded' }
  const number = ++lastNumber
  // It has no origin that it could be addressed by.
  ready.contentWindow?.postMessage({ type: 'draw', number, source, isDark }, '*')
  const answer = await hear(ready, DRAWING_MS, (message) => message.type !== 'ready' && message.number === number)
  if (answer) idle = setTimeout(letGo, IDLE_MS)
  else letGo()
  if (answer?.type === 'drawn') return { status: 'drawn', picture: answer.picture }
  return { status: 'refused', reason: answer?.type === 'refused' ? answer.reason : 'too-slow' }
}

/** The frame, once its script runs. It may run scripts and nothing else: it has no origin, so none of our cookies, storage or pages. */
async function readyFrame(): Promise<HTMLIFrameElement | undefined> {
  if (frame) return frame
  const opened = document.createElement('iframe')
  opened.sandbox.add('allow-scripts')
  opened.src = DIAGRAM_FRAME
  frame = opened
  const isReady = hear(opened, LOADING_MS, ({ type }) => type === 'ready')
  placeOf().replaceChildren(opened)
  if (await isReady) return opened
  letGo()
  return undefined
}

/** Where the frame is laid out without being seen, or widening the page. */
function placeOf(): HTMLElement {
  if (place) return place
  place = document.createElement('div')
  place.className = 'drawing-place'
  place.inert = true
  document.body.append(place)
  return place
}

function letGo(): void {
  frame?.remove()
  frame = undefined
}

/** The first wanted message of the frame; undefined when it does not come in time. */
function hear(from: HTMLIFrameElement, waitMs: number, isWanted: (message: FrameMessage) => boolean): Promise<FrameMessage | undefined> {
  return new Promise((resolve) => {
    const end = (message?: FrameMessage) => {
      clearTimeout(timer)
      removeEventListener('message', listen)
      resolve(message)
    }
    const listen = ({ source, origin, data }: MessageEvent) => {
      if (source !== from.contentWindow || origin !== 'null') return
      const message = readFrameMessage(data)
      if (message && isWanted(message)) end(message)
    }
    const timer = setTimeout(end, waitMs)
    addEventListener('message', listen)
  })
}
