import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createSecurityHeaders } from './security-headers.ts'

function featuresOf(url: string, voiceInput: boolean): string | undefined {
  const headersFor = createSecurityHeaders({ frameAncestors: ['https://www.example.org'], proofOfWork: 'off', voiceInput })
  return headersFor({ protocol: 'http', url } as FastifyRequest)['permissions-policy']
}

test('the page may ask for the microphone where visitors may speak, and for nothing else', () => {
  expect(featuresOf('/', true)).toContain('microphone=(self)')
  expect(featuresOf('/', true)?.replace('microphone=(self)', 'microphone=()')).toBe(featuresOf('/', false))
})

test.each(['/?embed', '/api/docs', '/api/v1/config', '/embed-demo.html'])('%s may not', (url) => {
  expect(featuresOf(url, true)).toContain('microphone=()')
})
