/** Changes for which a page is held back. `shorter`: it has lost more than half of its text. */
export const HELD_KINDS = ['new', 'changed', 'shorter', 'gone'] as const
export type HeldKind = (typeof HELD_KINDS)[number]

export const MAX_HELD_PAGES = 2_000
export const MAX_PAGE_DECISIONS = 100
/** Longer texts of a held page are cut before they are compared. */
export const MAX_COMPARED_CHARACTERS = 200_000
