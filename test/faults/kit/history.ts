import fc from 'fast-check'

export const VISITORS = 3

/** How the model answers: at once, over a second, not at all, or only the beginning of it. */
export type Answering = 'quick' | 'slow' | 'refused' | 'broken-off'

/** One thing that happens. `visitor` is a number from 0. */
export type Command =
  | { do: 'send'; visitor: number; into: 'new' | 'last'; answering: Answering }
  /** The last prompt once more, with the same key, as after a connection that broke. */
  | { do: 'send-again'; visitor: number }
  | { do: 'retry'; visitor: number }
  | { do: 'go-on'; visitor: number }
  /** The last prompt is answered once more, or another version of it is sent. */
  | { do: 'regenerate'; visitor: number }
  | { do: 'edit'; visitor: number; answering: Answering }
  /** Another version of what was said last is shown, and gone on from by the next prompt. */
  | { do: 'show-version'; visitor: number }
  /** All connections of the visitor break. */
  | { do: 'cut'; visitor: number }
  /** Follows the last turn, after what was shown of it or from its beginning. */
  | { do: 'attach'; visitor: number; anew: boolean }
  | { do: 'stop'; visitor: number }
  | { do: 'delete'; visitor: number }
  | { do: 'wait'; ms: number }
  /** SIGKILL, and a start. */
  | { do: 'kill' }
  /** SIGTERM, and a start. */
  | { do: 'restart' }
  | { do: 'database-down'; ms: number }
  /** The wall clock of the server is so far from the true one from now on. */
  | { do: 'clock-jump'; seconds: number }

const visitor = fc.nat({ max: VISITORS - 1 })
const command = <Name extends Command['do']>(name: Name, parts: object = {}) =>
  fc.record({ do: fc.constant(name), ...parts }) as unknown as fc.Arbitrary<Extract<Command, { do: Name }>>

const HOUR_S = 3600
const answering = fc.constantFrom<Answering>('quick', 'slow', 'slow', 'slow', 'refused', 'broken-off')

/** Histories: what visitors do most, what befalls the server less often. A key lives for a day, so a clock jumps by an hour. */
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
