import type { FastifyRequest } from 'fastify'
import type { FrameChats } from '../../../contract/config.ts'
import { isFramed } from '../../platform/cookies.ts'

/**
 * The kind of device that gets a new key: the one that the request states, or in a frame whose chats end with the visit a shared one, whose
 * key ends with the browser session and 2 hours after its last use.
 */
export function deviceOf(request: FastifyRequest, frameChats: FrameChats, stated: 'shared' | undefined): 'shared' | undefined {
  return frameChats === 'visit' && isFramed(request) ? 'shared' : stated
}
