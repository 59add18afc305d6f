import { expect, test } from 'vitest'
import { networkOf } from './network.ts'

test('treats an IPv4 address as a network', () => {
  expect(networkOf('203.0.113.7')).toEqual({ own: '203.0.113.7', wide: null, isLoopback: false })
})

test('treats an IPv4-mapped IPv6 address as that IPv4 address', () => {
  expect(networkOf('::ffff:203.0.113.7')).toEqual(networkOf('203.0.113.7'))
  expect(networkOf('::ffff:cb00:7107')).toEqual(networkOf('203.0.113.7'))
})

test('treats a /64 as one network', () => {
  const networks = new Set(Array.from({ length: 65_536 }, (_, index) => networkOf(`2001:db8:1:2:${index.toString(16)}::1`).own))
  expect([...networks]).toEqual(['2001:db8:1:2::/64'])
})

test('distinguishes /64s of the same /48', () => {
  const [one, next] = [networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1')]
  expect(one.own).not.toBe(next.own)
  expect([one.wide, next.wide]).toEqual(['2001:db8:1::/48', '2001:db8:1::/48'])
})

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('recognizes %s as this machine', (address) => {
  expect(networkOf(address).isLoopback).toBe(true)
})

test('ignores the zone of a link-local address', () => {
  expect(networkOf('fe80::1%eth0')).toEqual(networkOf('fe80::1'))
})

test.each(['', 'unknown', '1.2.3', '999.1.1.1', '2001:db8::1::2'])('counts all invalid addresses together: %j', (address) => {
  expect(networkOf(address)).toEqual({ own: 'unknown', wide: null, isLoopback: false })
})
