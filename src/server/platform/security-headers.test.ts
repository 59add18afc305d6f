import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createSecurityHeaders } from './security-headers.ts'

const headersOf = (url: string) =>
  createSecurityHeaders({ frameAncestors: ['https://www.example.org'], embeds: new Map(), proofOfWork: 'off', voiceInput: true })({
    protocol: 'http',
    url,
    routeOptions: {},
  } as FastifyRequest)

function featuresOf(url: string, voiceInput: boolean): string | undefined {
  const headersFor = createSecurityHeaders({
    frameAncestors: ['https://www.example.org'],
    embeds: new Map(),
    proofOfWork: 'off',
    voiceInput,
  })
  return headersFor({ protocol: 'http', url, routeOptions: {} } as FastifyRequest)['permissions-policy']
}

test('the page may use the microphone if dictation is on, and no other feature', () => {
  expect(featuresOf('/', true)).toContain('microphone=(self)')
  expect(featuresOf('/', true)?.replace('microphone=(self)', 'microphone=()')).toBe(featuresOf('/', false))
})

test.each(['/?embed', '/api/docs', '/api/v1/config', '/embed-demo.html'])('%s may use none', (url) => {
  expect(featuresOf(url, true)).toContain('microphone=()')
})

test('the diagram frame runs the script with the hash in its name, and has no origin and no network', () => {
  expect(headersOf(`/assets/diagram-${'a-_'.repeat(14)}a.html?x`)['content-security-policy']).toBe(
    `default-src 'none'; script-src 'sha256-${'a+/'.repeat(14)}a='; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ` +
      "frame-ancestors 'self' https://www.example.org; sandbox allow-scripts",
  )
})

test.each(['/assets/diagram-x.html', '/assets/diagram-x.js', `/assets/${'a'.repeat(43)}.html`, `/x/assets/diagram-${'a'.repeat(43)}.html`])(
  '%s is an ordinary file of the page',
  (url) => {
    expect(headersOf(url)).toEqual(headersOf('/assets/x.js'))
  },
)
