import type { ReportOptions } from '../../src/server/store/staff/reports.ts'

/** Options of a report that replaces no other and masks nothing. */
export const reportOptions = (lifeMs: number): ReportOptions => ({
  lifeMs,
  mask: (text) => text,
  takesQuestions: true,
  onReplaced: () => Promise.resolve(),
})
