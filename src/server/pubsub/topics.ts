import { hash } from 'node:crypto'

// Topics travel through Redis: a turn's id opens nothing by itself, and of an owner there is the hash.

/** More of a turn can be read, or it has ended. */
export const turnTopic = (turnId: string): string => `turn:${turnId}`

/** Somebody asks that a turn be stopped, wherever it runs. */
export const stopTopic = (turnId: string): string => `stop:${turnId}`

/** A session of this principal has been made, changed or deleted. */
export const ownerTopic = (owner: string): string => `owner:${hash('sha256', owner, 'hex').slice(0, 32)}`
