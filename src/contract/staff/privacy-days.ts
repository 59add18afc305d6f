/** Days that the screen about privacy covers. */
export const PRIVACY_DAYS = 30

export const PRIVACY_TABLES = ['rights', 'expired', 'readings'] as const
export type PrivacyTable = (typeof PRIVACY_TABLES)[number]
