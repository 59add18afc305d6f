import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ApprovalDecision } from '../../contract/chat/approval.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { type ApprovalRequestPart, approvalRequestParts, toolNameOf } from '../../contract/chat/parts/tool.ts'
import type { ApprovalRequest, PendingToolCall, DecidedCall } from '../answering/agents/agent.ts'
import { deriveKeys, type InstallationKeys } from '../keys.ts'
import { newApprovalId } from './ids.ts'

const LIFE_MS = 60 * 60 * 1000

/** Signs approval requests over turn, call, tool and exact input: what runs is what was shown. Only a chat's last answer is decided. */
export class Approvals {
  readonly #keys: [Buffer, ...Buffer[]]
  readonly #now: () => number

  constructor(keys: InstallationKeys, now: () => number) {
    this.#keys = deriveKeys(keys, 'parley tool approvals, HMAC-SHA-256')
    this.#now = now
  }

  request(turnId: string, call: PendingToolCall): ApprovalRequest {
    const request = { id: newApprovalId(), expiresAt: new Date(this.#now() + LIFE_MS).toISOString() }
    return { ...request, signature: sign(this.#keys[0], turnId, call, request) }
  }

  /** The decided calls and the updated answer; `null` unless every request is decided, correctly signed and unexpired. */
  decide(
    turnId: string,
    answer: ChatMessage,
    decisions: readonly ApprovalDecision[],
  ): { calls: DecidedCall[]; answer: ChatMessage } | null {
    const asking = approvalRequestParts(answer)
    if (asking.length === 0 || asking.length !== decisions.length) return null
    const calls = asking.map((part) => this.#decided(turnId, part, decisions))
    if (!calls.every((call) => call !== null)) return null
    const parts = answer.parts.map((part) => {
      const call = 'toolCallId' in part ? calls.find(({ toolCallId }) => toolCallId === part.toolCallId) : undefined
      if (!call || !('state' in part) || part.state !== 'approval-requested') return part
      return { ...part, state: 'approval-responded' as const, approval: { ...part.approval, approved: call.approved } }
    })
    return { calls, answer: { ...answer, parts } }
  }

  #decided(turnId: string, part: ApprovalRequestPart, decisions: readonly ApprovalDecision[]): DecidedCall | null {
    const { id, signature = '', descriptor } = part.approval
    const decision = decisions.find((one) => one.id === id)
    const { expiresAt } = (descriptor ?? {}) as { expiresAt?: unknown }
    if (!decision || typeof expiresAt !== 'string') return null
    const call = { toolCallId: part.toolCallId, toolName: toolNameOf(part), input: part.input }
    const isExpected = (expected: string) => isSame(expected, signature) && isSame(expected, decision.signature)
    if (!this.#keys.some((key) => isExpected(sign(key, turnId, call, { id, expiresAt })))) return null
    if (Date.parse(expiresAt) <= this.#now()) return null
    const { approved } = decision
    return { ...call, approval: { id, expiresAt, signature }, approved, dynamic: part.type === 'dynamic-tool', title: part.title }
  }
}

type Unsigned = Omit<ApprovalRequest, 'signature'>

function sign(key: Buffer, turnId: string, { toolCallId, toolName, input }: PendingToolCall, { id, expiresAt }: Unsigned): string {
  // JSON, so field boundaries are unambiguous.
  const signed = JSON.stringify(['parley-approval-1', turnId, id, toolCallId, toolName, input, expiresAt])
  return createHmac('sha256', key).update(signed).digest('base64url')
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
