import type { FastifyRequest } from 'fastify'
import type { FrameChats } from '../../../contract/config.ts'
import { isFramed } from '../../platform/cookies.ts'

/** The stated kind of device, or `shared` in a frame whose chats end with the visit. */
export function deviceOf(request: FastifyRequest, frameChats: FrameChats, stated: 'shared' | undefined): 'shared' | undefined {
  return frameChats === 'visit' && isFramed(request) ? 'shared' : stated
}
