/** Networks with fewer refused requests are not listed. */
export const MIN_REFUSALS = 20
export const MAX_BLOCK_HOURS = 72
