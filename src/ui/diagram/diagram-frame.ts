import {
  type DrawRequest,
  type FrameMessage,
  MAX_EDGES,
  MAX_NAME_CHARACTERS,
  MAX_SIDE_PX,
  MAX_SOURCE_CHARACTERS,
  MAX_SVG_CHARACTERS,
  readRequest,
} from './diagram-messages.ts'
import { paletteOf } from './diagram-palette.ts'

/** The part of @mermaid-js/tiny that is used; it has no types. The build puts it before this script. */
declare const mermaid: {
  initialize(configuration: object): void
  render(id: string, source: string): Promise<{ svg: string }>
  mermaidAPI: { getDiagramFromText(source: string): Promise<{ db: { [name: string]: unknown } }> }
}

/** Diagrams can't override it. */
const CONFIGURATION = {
  startOnLoad: false,
  suppressErrorRendering: true,
  securityLevel: 'strict',
  // Browsers show only SVG labels in images.
  htmlLabels: false,
  maxTextSize: MAX_SOURCE_CHARACTERS,
  maxEdges: MAX_EDGES,
  logLevel: 'fatal',
  theme: 'base',
  look: 'classic',
  themeCSS: '',
  fontFamily: "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  dompurifyConfig: {},
}
const SECURE = ['secure', 'themeVariables', 'darkMode', 'altFontFamily', ...Object.keys(CONFIGURATION)]

/** HTML formatting that models put into labels. */
const FORMATTING = /<\/?(?:b|i|u|em|strong|small|code)>/gi

const post = (message: FrameMessage): void => parent.postMessage(message, '*')

addEventListener('message', ({ source, data }) => {
  const request = source === parent && readRequest(data)
  if (!request) return
  draw(request)
    .then(post)
    // Mermaid throws on invalid source.
    .catch(() => post({ type: 'rejected', number: request.number, reason: 'unreadable' }))
})
post({ type: 'ready' })

async function draw({ number, source, isDark }: DrawRequest): Promise<FrameMessage> {
  const text = source.replaceAll(FORMATTING, '')
  const themeVariables = paletteOf(text, isDark)
  mermaid.initialize({ ...CONFIGURATION, secure: SECURE, themeVariables })
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(text)
  const { svg } = await mermaid.render('diagram', text)
  const drawing = elementOf(svg)
  const { width, height } = drawing.viewBox.baseVal
  const [widthPx, heightPx] = [Math.ceil(width), Math.ceil(height)]
  makePicture(drawing, { widthPx, heightPx, background: themeVariables.background })
  const picture = { svg: new XMLSerializer().serializeToString(drawing).toWellFormed(), widthPx, heightPx, name: nameOf(db) }
  drawing.remove()
  const isTooLarge = Math.max(widthPx, heightPx) > MAX_SIDE_PX || picture.svg.length > MAX_SVG_CHARACTERS
  return isTooLarge ? { type: 'rejected', number, reason: 'too-large' } : { type: 'drawn', number, picture }
}

function elementOf(svg: string): SVGSVGElement {
  const place = document.createElement('div')
  place.innerHTML = svg
  const element = place.querySelector('svg')
  if (!element) throw new Error('Nothing was drawn')
  return element
}

/** Makes the SVG self-contained, with size and background and without links, in case it is saved and opened. */
function makePicture(drawing: SVGSVGElement, { widthPx, heightPx, background }: { widthPx: number; heightPx: number; background: string }) {
  drawing.setAttribute('width', String(widthPx))
  drawing.setAttribute('height', String(heightPx))
  drawing.style.maxWidth = ''
  drawing.style.background = background
  for (const link of drawing.querySelectorAll('a')) for (const name of ['href', 'xlink:href']) link.removeAttribute(name)
}

function nameOf(db: { [name: string]: unknown }): string {
  const readText = (name: string) => (typeof db[name] === 'function' ? String(db[name]() ?? '') : '')
  const title = readText('getAccTitle') || readText('getDiagramTitle')
  return [title, readText('getAccDescription')].filter(Boolean).join('. ').slice(0, MAX_NAME_CHARACTERS).toWellFormed()
}
