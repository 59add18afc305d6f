import { expect, test } from 'vitest'
import { failureSentence, recordDownload } from './failure.ts'

test('an unknown failure has the general message', () => {
  expect(failureSentence('new_code')).toContain('Something went wrong')
  expect(failureSentence(undefined)).toContain('Something went wrong')
})

test('a model that is being downloaded is told with its progress', () => {
  const before = failureSentence('model_loading')
  recordDownload(37)
  expect(before).not.toContain('37')
  expect(failureSentence('model_loading')).toContain('37')
  expect(failureSentence('internal')).not.toContain('37')
})
