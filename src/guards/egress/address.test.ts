import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { whyNotGlobal } from './address.ts'

const globals = [
  '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255 169.255.0.0',
  '172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255',
  '198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 168.63.129.15 168.63.129.17 192.88.98.255 192.88.100.0',
  '2606:4700::1111 2001:4860:4860::8888 2001:200:: 2001:db7:ffff:: 2001:db9:: 2a00:1450::1 2003:: 3ffe:ffff::',
  '2620:4f:8000::1 ::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8 2606:4700::5efe:808:808 3fff:1000::1',
]
const locals = [
  '0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 100.100.100.200 127.0.0.1 127.255.255.255',
  '168.63.129.16 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.192 192.0.2.1',
  '192.88.99.1 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.255 224.0.0.1 239.255.255.255',
  '240.0.0.0 255.255.255.255 :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:0:127.0.0.1',
  '::ffff:0:8.8.8.8 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 64:ff9b:1::808:808 100::1 100:0:0:1::1 2001::1',
  '2001:0:a00:1:: 2001:2::1 2001:10::1 2001:1ff:ffff:: 2001:db8::1 2002:7f00:1:: 2002:808:808:: 3fff::1 3fff:fff::1 5f00::1',
  'fc00::1 fd00:ec2::254 fdff:: fe80::1 febf::1 fec0::1 ff02::1 4000::1 1fff:ffff:: 2606:4700::5efe:a00:1 2606:4700::200:5efe:127.0.0.1',
]

const isGlobalAddress = (ip: string): boolean => whyNotGlobal(ip) === undefined

describe('addresses of the public internet', () => {
  it.each(globals.flatMap(line => line.split(' ')))('%s is in the public internet', address => {
    expect(whyNotGlobal(address)).toBeUndefined()
  })

  it.each(locals.flatMap(line => line.split(' ')))('%s is not', address => {
    expect(isGlobalAddress(address)).toBe(false)
  })

  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '0x7f.0.0.1',
    '2130706433',
    '1.1.1.1 ',
    'fe80::1%eth0',
    '2606:4700',
    '2606::1::2',
    '2606:4700:::1',
    '1:2:3:4:5:6:7:8:9',
    '2606:4700::11111',
    '2606:1.1.1.1::1',
    '2606:4700::1.1.1.256',
    '１.１.１.１',
  ])("'%s' is no address, and so not a public one", text => {
    expect(whyNotGlobal(text)).toBe('not an address')
  })

  it('says what kind of place it is', () => {
    expect(
      ['127.0.0.1', '10.1.1.1', '169.254.169.254', '::1', 'fd00::1', 'fe80::1', '::ffff:192.168.0.1'].map(whyNotGlobal),
    ).toEqual(['loopback', 'private', 'link-local', 'loopback', 'private', 'link-local', 'private'])
  })

  it('sees through the mapped and the translated form exactly as the address inside', () => {
    fc.assert(
      fc.property(fc.ipV4(), address => {
        expect(isGlobalAddress(`::ffff:${address}`)).toBe(isGlobalAddress(address))
        expect(isGlobalAddress(`64:ff9b::${address}`)).toBe(isGlobalAddress(address))
        expect(isGlobalAddress(`::${address}`)).toBe(false)
      }),
    )
  })
})
