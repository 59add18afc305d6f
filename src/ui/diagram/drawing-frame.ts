import { type FrameMessage, MAX_SOURCE_CHARACTERS, type Picture, readFrameMessage } from './diagram-messages.ts'

/** Address of the drawing document, set by the build. */
declare const DIAGRAM_FRAME: string

export type Drawing =
  | { status: 'drawn'; picture: Picture }
  | { status: 'rejected'; reason: 'unreadable' | 'too-large' | 'too-slow' | 'not-loaded' }

/** Time limits for loading and drawing, after which the frame is discarded: it may be in an endless loop. */
const LOADING_MS = 20_000
const DRAWING_MS = 5_000
/** The idle frame is removed after this time, because it takes some 40 MB. */
const IDLE_MS = 30_000
/** Drawings cached while the page is open. */
const MOST_KEPT = 30

const kept = new Map<string, Drawing>()
const keyOf = (source: string, isDark: boolean) => `${isDark ? 'dark' : 'light'}\n${source}`

export const cachedDrawing = (source: string, isDark: boolean): Drawing | undefined => kept.get(keyOf(source, isDark))

let frame: HTMLIFrameElement | undefined
let place: HTMLElement | undefined
let idle: ReturnType<typeof setTimeout> | undefined
let lastNumber = 0
let turn: Promise<unknown> = Promise.resolve()

/** Draws diagrams one at a time. Resolves with undefined if cancelled before its turn. */
export function drawDiagram(source: string, isDark: boolean, calledOff: AbortSignal): Promise<Drawing | undefined> {
  const drawing = turn.then(async () => {
    if (calledOff.aborted) return undefined
    const drawn = cachedDrawing(source, isDark) ?? (await drawNow(source.toWellFormed(), isDark))
    if (drawn.status === 'drawn' || drawn.reason !== 'not-loaded') keep(keyOf(source, isDark), drawn)
    return drawn
  })
  // The caller handles the failure; the queue continues.
  turn = drawing.catch(() => undefined)
  return drawing
}

function keep(key: string, drawing: Drawing): void {
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
  kept.set(key, drawing)
}

async function drawNow(source: string, isDark: boolean): Promise<Drawing> {
  if (source.length > MAX_SOURCE_CHARACTERS) return { status: 'rejected', reason: 'too-large' }
  clearTimeout(idle)
  const ready = await readyFrame()
  if (!ready) return { status: 'rejected', reason: 'not-loaded' }
  const number = ++lastNumber
  // The sandboxed frame has an opaque origin.
  ready.contentWindow?.postMessage({ type: 'draw', number, source, isDark }, '*')
  const answer = await hear(ready, DRAWING_MS, (message) => message.type !== 'ready' && message.number === number)
  if (answer) idle = setTimeout(discardFrame, IDLE_MS)
  else discardFrame()
  if (answer?.type === 'drawn') return { status: 'drawn', picture: answer.picture }
  return { status: 'rejected', reason: answer?.type === 'rejected' ? answer.reason : 'too-slow' }
}

/** The frame, once its script runs. Its sandbox allows scripts only, so it can't access our cookies, storage or pages. */
async function readyFrame(): Promise<HTMLIFrameElement | undefined> {
  if (frame) return frame
  const opened = document.createElement('iframe')
  opened.sandbox.add('allow-scripts')
  opened.src = DIAGRAM_FRAME
  frame = opened
  const isReady = hear(opened, LOADING_MS, ({ type }) => type === 'ready')
  placeOf().replaceChildren(opened)
  if (await isReady) return opened
  discardFrame()
  return undefined
}

/** A hidden container for the frame that doesn't widen the page. */
function placeOf(): HTMLElement {
  if (place) return place
  place = document.createElement('div')
  place.className = 'drawing-place'
  place.inert = true
  document.body.append(place)
  return place
}

function discardFrame(): void {
  frame?.remove()
  frame = undefined
}

/** The first matching message of the frame; undefined on time-out. */
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
