import fc from 'fast-check'

export const VISITORS = 3

/** How the model answers: at once, over a second, with an error, or incompletely. */
export type Answering = 'quick' | 'slow' | 'refused' | 'broken-off'

/** One event of a history. `visitor` counts from 0. */
export type Command =
  | { do: 'send'; visitor: number; into: 'new' | 'last'; answering: Answering }
  /** Resends the last prompt with the same key, as after a broken connection. */
  | { do: 'send-again'; visitor: number }
  | { do: 'retry'; visitor: number }
  | { do: 'go-on'; visitor: number }
  /** Regenerates the last answer, or edits the last prompt. */
  | { do: 'regenerate'; visitor: number }
  | { do: 'edit'; visitor: number; answering: Answering }
  /** Switches to another version, from which the next prompt continues. */
  | { do: 'show-version'; visitor: number }
  /** Cuts all connections of the visitor. */
  | { do: 'cut'; visitor: number }
  /** Follows the last turn from the last event or from the start. */
  | { do: 'attach'; visitor: number; anew: boolean }
  | { do: 'stop'; visitor: number }
  | { do: 'delete'; visitor: number }
  | { do: 'wait'; ms: number }
  /** SIGKILL, and a start. */
  | { do: 'kill' }
  /** SIGTERM, and a start. */
  | { do: 'restart' }
  | { do: 'database-down'; ms: number }
  /** Changes the offset of the server's wall clock. */
  | { do: 'clock-jump'; seconds: number }

const visitor = fc.nat({ max: VISITORS - 1 })
const command = <Name extends Command['do']>(name: Name, parts: object = {}) =>
  fc.record({ do: fc.constant(name), ...parts }) as unknown as fc.Arbitrary<Extract<Command, { do: Name }>>

const HOUR_S = 3600
const answering = fc.constantFrom<Answering>('quick', 'slow', 'slow', 'slow', 'refused', 'broken-off')

/** Histories with many visitor actions and fewer server faults. Keys live for a day, so the clock jumps by an hour. */
export const history: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: command('send', { visitor, into: fc.constantFrom('new', 'last', 'last'), answering }) },
    { weight: 3, arbitrary: command('send-again', { visitor }) },
    { weight: 2, arbitrary: command('retry', { visitor }) },
    { weight: 2, arbitrary: command('go-on', { visitor }) },
    { weight: 1, arbitrary: command('regenerate', { visitor }) },
    { weight: 1, arbitrary: command('edit', { visitor, answering }) },
    { weight: 1, arbitrary: command('show-version', { visitor }) },
    { weight: 3, arbitrary: command('cut', { visitor }) },
    { weight: 3, arbitrary: command('attach', { visitor, anew: fc.boolean() }) },
    { weight: 2, arbitrary: command('stop', { visitor }) },
    { weight: 1, arbitrary: command('delete', { visitor }) },
    { weight: 4, arbitrary: command('wait', { ms: fc.integer({ min: 10, max: 400 }) }) },
    { weight: 1, arbitrary: command('kill') },
    { weight: 1, arbitrary: command('restart') },
    { weight: 1, arbitrary: command('database-down', { ms: fc.integer({ min: 50, max: 1200 }) }) },
    { weight: 1, arbitrary: command('clock-jump', { seconds: fc.constantFrom(0, HOUR_S, -HOUR_S) }) },
  ),
  { minLength: 5, maxLength: 20 },
)
