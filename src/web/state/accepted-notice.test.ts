import { expect, test } from 'vitest'
import type { PublicConfiguration } from '../../contract/config.ts'
import { acceptanceOf, rememberAcceptedNotice } from './accepted-notice.ts'
import { useConfiguration } from './configuration.ts'

const configured = (staffReading: boolean) =>
  useConfiguration.setState({ privacy: { staffReading } } as unknown as PublicConfiguration, true)

test('a prompt names the accepted notice only where staff can read', () => {
  configured(true)
  expect(acceptanceOf()).toEqual({})
  rememberAcceptedNotice('v1')
  expect(acceptanceOf()).toEqual({ acceptedNotice: 'v1' })
  configured(false)
  expect(acceptanceOf()).toEqual({})
  configured(true)
  rememberAcceptedNotice(null)
  expect(acceptanceOf()).toEqual({})
})
