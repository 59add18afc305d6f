import { hash } from 'node:crypto'

// Topics pass through Redis, so they contain only turn ids, which grant no access, and hashes of owners.

/** Staff have changed something that every process follows. */
export const VERSIONS_TOPIC = 'versions'

/** A turn has new events or has ended. */
export const turnTopic = (turnId: string): string => `turn:${turnId}`

/** A stop of the turn was requested. */
export const stopTopic = (turnId: string): string => `stop:${turnId}`

/** A session of this principal was created, changed or deleted. */
export const ownerTopic = (owner: string): string => `owner:${hash('sha256', owner, 'hex').slice(0, 32)}`
