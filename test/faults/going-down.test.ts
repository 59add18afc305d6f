import { setTimeout as pause } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { startStage } from './kit/stage.ts'
import { answerOf, expectBody, expectReading } from './kit/visitor.ts'
import { lockWrites } from './kit/write-lock.ts'

const STREAMS = 20

describe.concurrent.each(DATABASES)('on %s', (database) => {
  test('F7: SIGTERM with 20 streams gives them 20 s to end, interrupts the rest, and notifies all readers', async ({ expect }) => {
    const stage = await startStage({ database })
    const { server, model } = stage
    try {
      model.script(({ prompt }) => {
        const words = prompt.startsWith('short') ? 20 : 6000
        return prompt === 'Hello.'
          ? undefined
          : [{ text: Array.from({ length: words }, (_, index) => `word${index} `), tokensPerSecond: 20 }]
      })
      const visitor = await stage.visitor()
      const prompts = Array.from({ length: STREAMS }, (_, index) => (index % 2 === 0 ? `short ${index}` : `long ${index}`))
      const readings = await Promise.all(prompts.map(async (prompt) => expectReading(await visitor.send(prompt))))
      await Promise.all(readings.map((reading) => reading.firstText))

      const goingDown = server.kill('SIGTERM')
      await expect.poll(() => fetch(`${server.url}/readyz`).then((response) => response.status)).toBe(503)
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
      expect(await visitor.send('One more.')).toMatchObject({ kind: 'rejected', status: 503, code: 'shutting_down' })
      expect(await goingDown).toBe(0)

      // The long ones would have taken minutes more.
      expect(await Promise.all(readings.map((reading) => reading.ended))).toEqual(Array(STREAMS).fill(true))
      expect(readings.map((reading) => reading.status)).toEqual(prompts.map((_, index) => (index % 2 === 0 ? 'done' : 'interrupted')))
      await server.restart()
      for (const reading of readings) {
        const answer = answerOf(expectBody(await visitor.session(reading.session)), reading.turn)
        expect(answer).toEqual({ text: reading.text, status: reading.status })
      }
    } finally {
      await stage.stop()
    }
  })

  test('F7: a prompt being stored when SIGTERM arrives is still answered', async ({ expect }) => {
    const stage = await startStage({ database })
    try {
      const visitor = await stage.visitor()
      const release = await lockWrites(stage.server)
      const sending = visitor.send('Just in time.')
      // Long enough for the prompt to arrive; it waits while the lock is held.
      await pause(300)
      const goingDown = stage.server.kill('SIGTERM')
      await pause(300)
      await release()
      const reading = expectReading(await sending)
      await reading.ended
      expect(reading.status).toBe('done')
      expect(await goingDown).toBe(0)
    } finally {
      await stage.stop()
    }
  })
})
