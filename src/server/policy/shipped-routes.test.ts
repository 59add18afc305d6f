import { expect, test } from 'vitest'
import { PAGE_LANGUAGES } from '../../contract/page-languages.ts'
import { RouteHeader } from './policy.ts'
import { SHIPPED_ROUTES } from './shipped-routes.ts'

test.each(SHIPPED_ROUTES)('the shipped route $id is valid, and replies in every language', (route) => {
  expect(RouteHeader.parse(route)).toEqual(route)
  expect(Object.keys(route.reply).toSorted()).toEqual([...PAGE_LANGUAGES].toSorted())
  for (const text of Object.values(route.reply)) expect(text).toMatch(/^.{10}/u)
})
