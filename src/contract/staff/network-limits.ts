/** Networks with fewer rejected requests are not listed. */
export const MIN_REJECTIONS = 20
export const MAX_BLOCK_HOURS = 72
