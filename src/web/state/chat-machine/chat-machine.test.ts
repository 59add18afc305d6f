import { expect, test } from 'vitest'
import { begun, KEY, open, submit } from '../../../../test/support/chat-states.ts'
import { ChatMachine, type WorkContext } from './chat-machine.ts'

function machine() {
  const works: [type: string, work: WorkContext][] = []
  const states: string[] = []
  const made = new ChatMachine(
    ({ type }, work) => void works.push([type, work]),
    ({ session }) => void states.push(session?.answer.status ?? 'closed'),
  )
  return { made, works, states, workOf: (type: string) => works.findLast(([other]) => other === type)![1] }
}

test('runs effects with a signal that aborts when the work is cancelled', () => {
  const { made, workOf } = machine()
  made.dispatch(open())
  const { signal } = workOf('fetch-session')
  expect(signal.aborted).toBe(false)
  made.dispatch(submit())
  expect(signal.aborted).toBe(true)
  expect(workOf('post-prompt').signal.aborted).toBe(false)
})

test('ignores events of cancelled work', () => {
  const { made, workOf } = machine()
  made.dispatch(open())
  const { report } = workOf('fetch-session')
  made.dispatch(submit())
  report({ type: 'session-failed', code: 'not_found', isFinal: true })
  expect(made.state.session?.answer.status).toBe('sending')
  workOf('post-prompt').report(begun())
  expect(made.state.work.kind).toBe('following')
})

test('reduces an event that an effect dispatches after all effects of the current one', () => {
  const types: string[] = []
  const made: ChatMachine = new ChatMachine(
    ({ type }) => {
      types.push(type)
      if (type === 'report-connection' && types.length < 3) made.dispatch({ type: 'chat-closed' })
    },
    () => undefined,
  )
  made.dispatch(open())
  expect(types).toEqual(['report-connection', 'fetch-session', 'save-unsent', 'report-connection'])
  expect(made.state.session).toBeNull()
})

test('reports a state only if an event has changed it', () => {
  const { made, states } = machine()
  made.dispatch({ type: 'stop-requested' })
  made.dispatch(open())
  made.dispatch({ type: 'session-renamed', key: `${KEY}x`, title: 'other' })
  expect(states).toEqual(['opening'])
})
