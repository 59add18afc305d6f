import { describe, expect, test } from 'vitest'
import { MAX_SIDE_PX, MAX_SOURCE_CHARACTERS, MAX_SVG_CHARACTERS, readFrameMessage, readRequest } from './diagram-messages.ts'

const REQUEST = { type: 'draw', number: 1, source: 'pie', isDark: false }
const PICTURE = { svg: '<svg xmlns="http://www.w3.org/2000/svg"/>', widthPx: 10, heightPx: 20, name: '' }
const DRAWN = { type: 'drawn', number: 1, picture: PICTURE }
const REFUSED = { type: 'rejected', number: 1, reason: 'unreadable' }
const withPicture = (change: object) => ({ ...DRAWN, picture: { ...PICTURE, ...change } })

describe('the frame', () => {
  test('accepts a request to draw', () => {
    expect(readRequest(REQUEST)).toEqual(REQUEST)
  })

  test.each([
    ['nothing', undefined],
    ['a text', 'draw'],
    ['another kind', { ...REQUEST, type: 'erase' }],
    ['a request with more in it', { ...REQUEST, securityLevel: 'loose' }],
    ['one that lacks something', { type: 'draw', number: 1, source: 'pie' }],
    ['a source that is too long', { ...REQUEST, source: 'a'.repeat(MAX_SOURCE_CHARACTERS + 1) }],
    ['a source that is no text', { ...REQUEST, source: ['pie'] }],
    ['a number that is none', { ...REQUEST, number: Number.NaN }],
  ])('ignores %s', (_name, data) => {
    expect(readRequest(data)).toBeUndefined()
  })
})

describe('the page', () => {
  test.each([[{ type: 'ready' }], [DRAWN], [REFUSED], [{ ...REFUSED, reason: 'too-large' }]])('accepts %j', (message) => {
    expect(readFrameMessage(message)).toEqual(message)
  })

  test.each([
    ['nothing', null],
    ['another kind', { type: 'navigate', address: 'https://evil.example' }],
    ['a drawing with more in it', { ...DRAWN, onload: 'alert(1)' }],
    ['a picture with more in it', withPicture({ href: 'https://evil.example' })],
    ['a picture that is no SVG', withPicture({ svg: '<html></html>' })],
    ['a picture that is too long', withPicture({ svg: `<svg ${'a'.repeat(MAX_SVG_CHARACTERS)}` })],
    ['a picture of broken text', withPicture({ svg: '<svg \ud800' })],
    ['a picture that is too wide', withPicture({ widthPx: MAX_SIDE_PX + 1 })],
    ['a picture that is too high', withPicture({ heightPx: MAX_SIDE_PX + 1 })],
    ['a picture of no size', withPicture({ heightPx: 0 })],
    ['a size that is a text', withPicture({ widthPx: '10' })],
    ['a name that is too long', withPicture({ name: 'a'.repeat(501) })],
    ['a picture that is a text', { ...DRAWN, picture: '<svg />' }],
    ['a reason of its own', { ...REFUSED, reason: 'click here' }],
    ['an inherited member', Object.create(DRAWN)],
  ])('rejects %s', (_name, data) => {
    expect(readFrameMessage(data)).toBeUndefined()
  })
})
