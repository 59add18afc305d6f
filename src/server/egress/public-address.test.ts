import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

test.each(['93.184.215.14', '8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
  'accepts %s',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  ['this machine', ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '0.1.2.3', '::']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd00:ec2::254', 'fec0::1']],
  ['link-local', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0']],
  ['shared by a carrier', ['100.64.0.1', '100.100.100.200', '100.127.255.255']],
  ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
  [
    'reserved',
    [
      '192.0.0.192',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '240.0.0.1',
      '192.88.99.1',
      '100::1',
      '2001:db8::1',
      '4000::1',
    ],
  ],
  ['IPv4 within IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1']],
  ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::7f00:1']],
  ['6to4 and Teredo', ['2002:7f00:1::', '2002:808:808::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2']],
  ["the inside of a cloud's machine", ['168.63.129.16']],
  ['no address', ['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '1.2.3', '1.2.3.4.5']],
])('rejects %s', (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([])
})

test('rejects all addresses of this machine', () => {
  const own = Object.values(networkInterfaces()).flatMap((interfaces) => (interfaces ?? []).map(({ address }) => address))
  expect(own).not.toEqual([])
  expect(own.filter(isPublicAddress)).toEqual([])
})
