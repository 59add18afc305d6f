import { expect, test } from 'vitest'
import { showMyData, useMyData } from './my-data.ts'

test('the panel is closed until a view of it is shown', () => {
  expect(useMyData.getState().view).toBeNull()
  showMyData({ kind: 'overview' })
  expect(useMyData.getState().view).toEqual({ kind: 'overview' })
  showMyData(null)
  expect(useMyData.getState().view).toBeNull()
})
