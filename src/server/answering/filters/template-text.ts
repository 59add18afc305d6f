import type { LanguageModelStreamPart } from 'ai'
import { offeredName } from '../../models/tool-names.ts'
import { isInCode } from './think-tags.ts'

type Part = LanguageModelStreamPart

/** Text that may hold calls. `isMarked`: it has the tags of a call, so it is never shown; `rest` is what stands beside them. */
export interface HeldText {
  text: string
  isMarked: boolean
  rest: string
}

/** Openings of calls that nothing else is written with. */
const CALL_TOKEN =
  /^(?:\[TOOL_CALLS\]|<\|(?:tool_call|tool_calls|tool_call_start|tool_call_begin|tool_calls_section_begin|python_tag)\|?>|<｜(?:DSML｜\w+|tool▁calls?▁begin)[｜>])/
/** Openings that an answer may mention, unless a call follows. */
const CALL_TAG =
  /^<(?:tool_call|tool_calls|function_call|function_calls|functioncall|tool_code|tool_use|TOOLCALL|minimax:tool_call|(?:function=|invoke name=)["']?[\w.:-]+["']?)\s*>/
const CALL_BLOCK =
  /<(tool_calls?|function_calls?|functioncall|tool_code|tool_use|TOOLCALL|minimax:tool_call|invoke|function|tools)(?=[\s>=])[^]*?(?:<\/\1>|$)|(?:\[TOOL_CALLS\]|<\|(?:tool_call|python_tag)|<｜(?:DSML|tool▁call))[^]*$/g
/** The end of the model's turn: what follows is another turn that it imagines. */
const END =
  /^(?:<\|(?:im_end|endoftext|eot_id|end_of_text|eom_id|eos|end_of_turn|EOT)\|>|<end_of_turn>|<eos>|<end>|<｜end▁of▁sentence｜>|\[INST\])/
const CHANNEL = /^<\|(?:channel|start)\|>/
const TURN = /^(?:<\|(?:im_start|start_header_id)\|>|<start_of_turn>)/
/** Phi's and DeepSeek's beginnings of a turn. */
const SPEAKER = /^<[|｜](?:user|assistant|system)[|｜]>/i
const TOKEN = /^(?:<\|\w+\|>|<｜[^\s｜>]+｜>|<\/s>|<bos>|<\/?answer>|\[\/INST\])/
/** Nothing but tokens: they end even a text whose code block was left open. */
const ONLY_TOKENS = /^(?:<\|\w+\|>|<｜[^\s｜>]+｜>|<\/s>|<end_of_turn>|<eos>|\s)+$/
const BEGUN_TOKEN = /^<\|\w+\|?$/
const THOUGHTS_END = /^<\/(?:think|thinking|thought)>/
/** Every marker begins with one of these characters and is at most so long. */
const MARKER_START = /[<[]/g
const MAX_MARKER_CHARACTERS = 48
/** The beginning of a marker that isn't complete yet. */
const BEGUN_MARKER =
  /^(?:<\|?\w{0,30}\|?|<｜[^\s>]{0,40}|<\/?[A-Za-z_:]{0,20}|<(?:function=|invoke )["'\w.:= -]{0,40}|\[\/?(?:T(?:O(?:O(?:L(?:_[A-Z]*)?)?)?)?|I(?:N(?:S(?:T)?)?)?)?)$/

/** Keys with which the object of a call begins. */
const FIRST_KEY =
  /^["'](?:name|tool|tool_name|recipient_name|action|function|function_call|type|id|arguments|parameters|tool_calls|tool_uses)["']/
const NAME = /["'](?:name|tool|tool_name|recipient_name|action|function)["']\s*:\s*["']([^"']*)["']/
/** The arguments may come before the name. */
const MAX_UNNAMED_CHARACTERS = 400
const FENCE = /^```\w*\s*/
const NAMESPACES = ['', 'tools.', 'default_api.']
/** Remains of the harmony format whose tokens a server removed. */
const BARE_CALL = /^(?:assistant)?(?:(?:analysis|commentary)\s*)?to=([\w.:-]*)/
const BARE_STARTS = [
  'assistantanalysis',
  'assistantcommentary to=',
  'commentary to=',
  'analysis to=',
  'to=',
  'assistantfinal',
  'print(',
  '<tools>',
]
const BARE_THOUGHTS = /^(?:assistant)?analysis(?=[A-Z])/
const BARE_ANSWER = /assistant\s*(?:final|(?=(?:commentary|analysis)\s*to=))/

type Mode = 'begin' | 'text' | 'thoughts' | 'bare-thoughts' | 'header' | 'turn' | 'call' | 'over'

/**
 * Reads one text of a model as its template has it: emits text and reasoning without special tokens, and holds back what may be a call.
 * Markers in code are text. Only the beginning of a text can be a call without tags, and nothing longer than a marker waits elsewhere.
 */
export class TemplateText {
  readonly #id: string
  readonly #offered: readonly string[]
  #mode: Mode = 'begin'
  #pending = ''
  /** Text that was emitted, to know what is code. */
  #emitted = ''
  #open: 'text' | 'reasoning' | null = null
  #blocks = 0
  #parts: Part[] = []
  #isMarked = false

  constructor(id: string, offered: readonly string[]) {
    this.#id = id
    this.#offered = offered
  }

  read(delta: string): Part[] {
    this.#pending += delta
    while (this.#step(false));
    return this.#taken()
  }

  /** Ends the text. `held` is what may be calls. */
  end(): { parts: Part[]; held: HeldText | null } {
    while (this.#step(true));
    if (this.#mode !== 'call') this.#close()
    const text = this.#pending
    const held = this.#mode === 'call' ? { text, isMarked: this.#isMarked, rest: restOf(text) } : null
    this.#pending = ''
    return { parts: this.#taken(), held }
  }

  /** Ends a text that was held with what is shown of it. */
  release(text: string): Part[] {
    this.#mode = 'text'
    this.#pending = text
    while (this.#step(true, false));
    this.#close()
    return this.#taken()
  }

  /** Reads as far as the mode goes. Returns whether another may follow. */
  #step(isEnd: boolean, mayCall = true): boolean {
    switch (this.#mode) {
      case 'begin':
        return this.#begin(isEnd)
      case 'text':
      case 'thoughts':
        return this.#text(isEnd, mayCall)
      case 'bare-thoughts':
        return this.#bareThoughts(isEnd)
      case 'header':
        return this.#header(isEnd)
      case 'turn':
        return this.#turn()
      case 'over':
        this.#pending = ''
        return false
      case 'call':
        return false
    }
  }

  #begin(isEnd: boolean): boolean {
    const text = this.#pending.trimStart()
    if (text === '' && !isEnd) return false
    const beginning = beginningOf(text, this.#offered)
    if (beginning === 'undecided' && !isEnd) return false
    this.#mode = beginning === 'call' || beginning === 'marked' ? 'call' : beginning === 'thoughts' ? 'bare-thoughts' : 'text'
    this.#isMarked = beginning === 'marked'
    if (this.#mode === 'bare-thoughts') this.#pending = text.replace(BARE_THOUGHTS, '')
    return this.#mode !== 'call'
  }

  /** Emits text to the next marker. */
  #text(isEnd: boolean, mayCall: boolean): boolean {
    MARKER_START.lastIndex = 0
    for (let match = MARKER_START.exec(this.#pending); match; match = MARKER_START.exec(this.#pending)) {
      const rest = this.#pending.slice(match.index)
      const marker = rest.slice(0, MAX_MARKER_CHARACTERS)
      if (!isEnd && BEGUN_MARKER.test(rest)) return this.#wait(match.index)
      const action = BEGUN_TOKEN.test(rest) ? this.#drop : this.#actionFor(marker, rest, isEnd, mayCall)
      if (action === null) continue
      const isLast = ONLY_TOKENS.test(rest)
      if (isInCode(this.#emitted + this.#pending.slice(0, match.index))) {
        if (!isLast) continue
        if (!isEnd) return this.#wait(match.index)
      }
      this.#emit(this.#pending.slice(0, match.index))
      this.#pending = rest
      return action()
    }
    this.#emit(this.#pending)
    this.#pending = ''
    return false
  }

  /** Takes out a token that the end of the text cut off. */
  readonly #drop = (): false => {
    this.#pending = ''
    return false
  }

  /** Emits what is before a marker that isn't decided yet. */
  #wait(at: number): false {
    this.#emit(this.#pending.slice(0, at))
    this.#pending = this.#pending.slice(at)
    return false
  }

  /** Returns what follows from a marker; `null` if it is text. */
  #actionFor(marker: string, rest: string, isEnd: boolean, mayCall: boolean): (() => boolean) | null {
    const become =
      (mode: Mode, skipped = 0) =>
      () => {
        this.#mode = mode
        this.#pending = this.#pending.slice(skipped)
        return true
      }
    const lengthOf = (form: RegExp) => form.exec(marker)?.[0].length
    const hasText = this.#emitted.trim() !== ''
    const call = CALL_TOKEN.test(marker) ? 'call' : CALL_TAG.test(marker) ? followed(rest, this.#offered) : null
    if (mayCall && call === 'undecided' && !isEnd) return () => false
    if (mayCall && call === 'call') {
      this.#isMarked = true
      return become('call')
    }
    if (END.test(marker) || (hasText && SPEAKER.test(marker))) return become('over')
    if (CHANNEL.test(marker)) return become('header')
    const turn = lengthOf(TURN)
    if (turn !== undefined) return become(hasText ? 'over' : 'turn', turn)
    const thoughts = lengthOf(THOUGHTS_END)
    if (thoughts !== undefined && this.#mode === 'text') {
      return () => {
        this.#emit(this.#pending.slice(0, thoughts))
        return become('begin', thoughts)()
      }
    }
    const token = lengthOf(TOKEN)
    // Old text is struck with `<s>` and `</s>` in HTML.
    if (token === undefined || (marker.startsWith('</s>') && this.#emitted.concat(this.#pending).includes('<s>'))) return null
    return become(this.#mode, token)
  }

  /** Reads `<|start|>assistant<|channel|>final<|message|>` of the harmony format. */
  #header(isEnd: boolean): boolean {
    const end = this.#pending.indexOf('<|message|>')
    const header = end >= 0 ? this.#pending.slice(0, end) : this.#pending
    if (/\sto=(?!assistant|user)/.test(header) && (end >= 0 || isEnd)) {
      this.#mode = 'call'
      this.#isMarked = true
      return false
    }
    if (end < 0) {
      if (isEnd) this.#pending = ''
      return false
    }
    this.#mode = /<\|channel\|>(?!\s*final)/.test(header) ? 'thoughts' : 'text'
    this.#pending = this.#pending.slice(end + '<|message|>'.length)
    return true
  }

  /** Skips the role with which a turn begins. */
  #turn(): boolean {
    const role = /^\s*\w*(?:\s*<\|end_header_id\|>\s*|\n+)/.exec(this.#pending)
    if (!role && /^\s*\w{0,20}(?:<[\w|]*)?$/.test(this.#pending)) return false
    this.#mode = 'begin'
    this.#pending = this.#pending.slice(role?.[0].length ?? 0)
    return true
  }

  #bareThoughts(isEnd: boolean): boolean {
    const answer = BARE_ANSWER.exec(this.#pending)
    if (!answer && !isEnd) return false
    if (answer) this.#emit(this.#pending.slice(0, answer.index), 'reasoning')
    this.#pending = answer ? this.#pending.slice(answer.index + answer[0].length) : `analysis${this.#pending}`
    this.#mode = answer ? 'begin' : 'text'
    return true
  }

  #emit(text: string, type: 'text' | 'reasoning' = this.#mode === 'thoughts' ? 'reasoning' : 'text'): void {
    // Space between channels and tokens is no text.
    if (text === '' || (this.#open !== type && this.#blocks > 0 && text.trim() === '')) return
    if (this.#open !== type) {
      this.#close()
      this.#blocks += 1
      this.#open = type
      this.#parts.push({ type: `${type}-start`, id: this.#blockId })
    }
    if (type === 'text') this.#emitted += text
    this.#parts.push({ type: `${type}-delta`, id: this.#blockId, text })
  }

  #close(): void {
    if (this.#open) this.#parts.push({ type: `${this.#open}-end`, id: this.#blockId })
    this.#open = null
  }

  get #blockId(): string {
    return this.#blocks === 1 ? this.#id : `${this.#id}-${this.#blocks}`
  }

  #taken(): Part[] {
    return this.#parts.splice(0)
  }
}

/** The text beside the tags of calls. */
function restOf(text: string): string {
  if (CHANNEL.test(text) || BARE_CALL.test(text.trimStart())) return ''
  return text
    .replace(CALL_BLOCK, '')
    .replace(/```\w*\s*```/g, '')
    .trim()
}

/** Tells whether a text begins with a call, with one in tags, with thoughts of the harmony format, with text, or it isn't known yet. */
function beginningOf(text: string, offered: readonly string[]): 'call' | 'marked' | 'thoughts' | 'text' | 'undecided' {
  if (/^`{0,2}$|^```\w*\s*$/.test(text)) return 'undecided'
  const isFenced = FENCE.test(text)
  const body = text.replace(FENCE, '')
  const [bare = '', recipient = ''] = BARE_CALL.exec(body) ?? []
  if (bare !== '') return recipientBeginning(recipient, bare === body, offered)
  if (BARE_THOUGHTS.test(body) || body.startsWith('assistantfinal')) return 'thoughts'
  if (BARE_STARTS.some((start) => start.startsWith(body))) return 'undecided'
  if (isFenced && CALL_TAG.test(body)) {
    const call = followed(body, offered)
    return call === 'call' ? 'marked' : (call ?? 'text')
  }
  if (isFenced && BEGUN_MARKER.test(body)) return 'undecided'
  if (/^<tools>\s*$/.test(body)) return 'undecided'
  if (/^<tools>\s*\{/.test(body)) return 'marked'
  if (/^[{[]/.test(body)) return jsonBeginning(body, offered)
  return functionBeginning(body.replace(/^(?:print\()?/, ''), offered)
}

function recipientBeginning(recipient: string, isEnd: boolean, offered: readonly string[]): 'marked' | 'text' | 'undecided' {
  if (isEnd && ['functions.', ...offered].some((one) => one.startsWith(recipient))) return 'undecided'
  return recipient.startsWith('functions.') || offeredName(recipient, offered) !== null ? 'marked' : 'text'
}

/** Whether a call follows a tag that an answer may also mention. */
function followed(text: string, offered: readonly string[]): 'call' | 'undecided' | null {
  if (/^<(?:function=|invoke)/.test(text)) return 'call'
  const content = text.slice(text.indexOf('>') + 1).trimStart()
  if (content === '') return 'undecided'
  const name = /^[\w.:-]+/.exec(content)?.[0] ?? ''
  const isNamed = name !== '' && (offeredName(name, offered) !== null || (name === content && offered.some((one) => one.startsWith(name))))
  return /^[{[<`]/.test(content) || isNamed ? 'call' : null
}

function jsonBeginning(text: string, offered: readonly string[]): 'call' | 'text' | 'undecided' {
  if (text.startsWith('[') && !/^\[\s*(?:$|\{)/.test(text)) return functionBeginning(text.slice(1), offered)
  const object = text.replace(/^\[?\s*\{?\s*/, '')
  if (object === '' || /^["']\w*$/.test(object)) return 'undecided'
  if (!FIRST_KEY.test(object)) return 'text'
  const name = NAME.exec(text)?.[1]
  if (name !== undefined && name !== '')
    return offeredName(name, offered) === null && !/^(?:function|tool_use|tool_call)$/.test(name) ? 'text' : 'call'
  return text.length > MAX_UNNAMED_CHARACTERS ? 'text' : 'undecided'
}

/** `functions.search({…})`, `search(query="…")` and `Action: search` of an offered tool. */
function functionBeginning(text: string, offered: readonly string[]): 'call' | 'text' | 'undecided' {
  if (offered.some((name) => ['functions.', 'Action: '].some((lead) => text.startsWith(`${lead}${name}`)))) return 'call'
  const starts = [
    ...NAMESPACES.flatMap((space) => offered.map((name) => `${space}${name}(`)),
    ...offered.flatMap((name) => [`functions.${name}`, `Action: ${name}`]),
  ]
  const start = starts.find((one) => text.startsWith(one))
  if (start === undefined) return starts.some((one) => one.startsWith(text)) ? 'undecided' : 'text'
  const args = text.slice(start.length).trimStart()
  return args === '' || /^\w+$/.test(args) ? 'undecided' : /^(?:\{|\w+\s*=)/.test(args) ? 'call' : 'text'
}
