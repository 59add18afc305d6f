/** Longest text of a banner, in UTF-16 code units. */
export const MAX_BANNER_CHARACTERS = 500
