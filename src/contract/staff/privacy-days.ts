/** Days that the screen about privacy covers. */
export const PRIVACY_DAYS = 30
