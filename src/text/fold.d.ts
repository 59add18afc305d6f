/** Lower case without accents and variants of letters, for comparing. The length may change. */
export declare function fold(text: string): string
/** Removes accents and variants of letters, and keeps the case of letters that have no variant. */
export declare function withoutAccents(text: string): string
