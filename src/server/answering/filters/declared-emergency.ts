import type { ChatChunk } from '../../../contract/chat/message.ts'
import { EMERGENCY_KINDS, type EmergencyKind } from '../../safety/emergency/kinds.ts'
import { beginsStep } from './filter-texts.ts'

export const EMERGENCY_INSTRUCTION =
  'If the visitor or someone with them may die or be badly hurt now, or thinks of suicide or asks for means to it, write only ' +
  `<emergency kind="…"> with ${EMERGENCY_KINDS.join(', ')}: the page then shows whom to call.`

const OPENING = '<emergency'
const MARK = /^<emergency\b[^<>]{0,40}>/
const MAX_MARK_CHARACTERS = 60

/**
 * Ends an answer that begins with an emergency mark, and calls `onEmergency`. An unknown kind counts as illness, so that no visitor reads
 * the mark. A mark after other text stays text.
 */
export async function* withoutEmergency(
  chunks: AsyncIterable<ChatChunk>,
  { isBuiltin, onEmergency }: { isBuiltin: boolean; onEmergency?: ((kind: EmergencyKind) => void) | undefined },
): AsyncGenerator<ChatChunk, void, undefined> {
  if (isBuiltin || !onEmergency) return yield* chunks
  let held: ChatChunk[] = []
  let text = ''
  let isDecided = false
  for await (const chunk of chunks) {
    if (beginsStep(chunk)) [held, text] = [[], '']
    if (isDecided || (held.length === 0 && chunk.type !== 'text-start' && chunk.type !== 'text-delta')) {
      yield chunk
      continue
    }
    held.push(chunk)
    if (chunk.type === 'text-delta') text = (text + chunk.delta).trimStart()
    const mark = MARK.exec(text)
    if (mark) {
      onEmergency(EMERGENCY_KINDS.find((kind) => mark[0].includes(kind)) ?? 'acute_illness')
      return yield { type: 'finish-step' }
    }
    if (mayBecomeMark(text) && chunk.type !== 'text-end') continue
    isDecided = text !== ''
    yield* held
    held = []
  }
  yield* held
}

function mayBecomeMark(text: string): boolean {
  return text.length < MAX_MARK_CHARACTERS && (OPENING.startsWith(text) || (text.startsWith(OPENING) && !/[<>]/.test(text.slice(1))))
}
