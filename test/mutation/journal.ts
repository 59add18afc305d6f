/** Names the file to which workers append what they find out, a line each, and the file that says what to try. */
export const JOURNAL_VARIABLE = 'PARLEY_MUTATION_JOURNAL'
export const PLAN_VARIABLE = 'PARLEY_MUTATION_PLAN'

/** Faults to try with each test file; `first` in a process that no other fault has touched. `own` are those of the code beside the test. */
export type Plan = Record<string, { ids: number[]; own: number[]; first?: number | undefined }>

export type Entry = { file: string } & (
  | { is: 'reached'; ids: number[]; loading: number[]; failures: { name: string }[]; ms: number }
  | { is: 'trying' | 'unnoticed'; id: number }
  | { is: 'noticed'; id: number; by: string }
  /** Tests fail without a fault by now, so the process is of no more use. With an id, that fault may be the cause of its failure or not. */
  | { is: 'spoiled'; id?: number }
  | { is: 'done' }
  /** Of the tool itself. */
  | { is: 'broken'; error: string }
)
