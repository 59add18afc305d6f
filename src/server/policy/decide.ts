import type { AgentPolicy, FixedReply } from './agent-policy.ts'
import { detectEmergency } from './emergency/detect-emergency.ts'
import { emergencyReply } from './emergency/emergency-reply.ts'
import { promptLanguage } from './prompt-language.ts'
import { stopConcerning, stoppedFiles, type StoppedScope, stopReply } from './stopped-topics.ts'

/** A prompt, and what decides whether a model answers it. */
export interface PromptToDecide {
  prompt: string
  agent: string
  policy: AgentPolicy
  stops: readonly StoppedScope[]
}

type Check = (prompt: PromptToDecide) => FixedReply | null | Promise<FixedReply | null>

/** Comes first, whatever else is configured or stopped. */
const emergency: Check = ({ policy, prompt }) => {
  const kind = detectEmergency(prompt)
  return kind
    ? { kind: 'emergency', text: emergencyReply(kind, promptLanguage(prompt), policy.definition.countries), state: 'referred' }
    : null
}

const stops: Check = async ({ stops: all, agent, prompt }) => {
  const stop = await stopConcerning(all, { agent, prompt })
  return stop ? stopReply(stop, promptLanguage(prompt)) : null
}

/** A stopped file answers nothing. */
const approvedAnswers: Check = ({ policy, prompt, stops: all }) => policy.approvedReply(prompt, stoppedFiles(all))

const routes: Check = ({ policy, prompt }) => policy.routeReply(prompt)

/** In the order in which they apply: the first reply counts, and without one a model answers. */
export const CHECKS = { emergency, stops, approvedAnswers, routes } satisfies Record<string, Check>

/** The checks that apply before a prompt is moderated. */
const BEFORE_MODERATION: readonly Check[] = [CHECKS.emergency, CHECKS.stops]

/** The fixed reply to a prompt; `null` if a model answers. */
export async function decideReply(prompt: PromptToDecide): Promise<FixedReply | null> {
  return firstReply(Object.values(CHECKS), prompt)
}

/** The reply of the checks that come before moderation; `null` if the prompt has to be moderated. */
export async function replyBeforeModeration(prompt: PromptToDecide): Promise<FixedReply | null> {
  return firstReply(BEFORE_MODERATION, prompt)
}

async function firstReply(checks: readonly Check[], prompt: PromptToDecide): Promise<FixedReply | null> {
  for (const check of checks) {
    const reply = await check(prompt)
    if (reply) return reply
  }
  return null
}
