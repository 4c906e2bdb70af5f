import { describe, expect, it } from 'vitest'
import { seccompFilter } from './seccomp.ts'

const ARCH = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
const NEW_USER = 0x10000000

const SAME = { ioUringSetup: 425, clone3: 435, openat2: 437, memfdSecret: 447 }

const CALLS = {
  x64: {
    ...SAME,
    keyctl: 250,
    addKey: 248,
    bpf: 321,
    perfEventOpen: 298,
    userfaultfd: 323,
    setns: 308,
    mount: 165,
    syslog: 103,
    clone: 56,
    unshare: 272,
    socket: 41,
    fchmod: 91,
    fchmodat: 268,
    openat: 257,
    memfdCreate: 319,
    shmget: 29,
    ioctl: 16,
  },
  arm64: {
    ...SAME,
    keyctl: 219,
    addKey: 217,
    bpf: 280,
    perfEventOpen: 241,
    userfaultfd: 282,
    setns: 268,
    mount: 40,
    syslog: 116,
    clone: 220,
    unshare: 97,
    socket: 198,
    fchmod: 52,
    fchmodat: 53,
    openat: 56,
    memfdCreate: 279,
    shmget: 194,
    ioctl: 29,
  },
} as const

describe.each(['x64', 'arm64'] as const)('the seccomp filter of %s', machine => {
  const filter = seccompFilter({ memoryCounted: false }, machine)
  const counted = seccompFilter({ memoryCounted: true }, machine)
  const numbers = CALLS[machine]
  const decide = (name: keyof typeof numbers, args: readonly number[] = [], program = filter) =>
    decided(program, { arch: ARCH[machine], call: numbers[name], args })

  it.each(['keyctl', 'addKey', 'bpf', 'perfEventOpen', 'userfaultfd', 'setns', 'mount', 'syslog'] as const)(
    'refuses %s',
    name => {
      expect(decide(name)).toBe('EPERM')
    },
  )

  it.each(['ioUringSetup', 'clone3', 'openat2', 'memfdSecret'] as const)('does not know %s', name => {
    expect(decide(name)).toBe('ENOSYS')
  })

  it('lets programs fork and make threads, but no user namespaces', () => {
    expect(decide('clone', [0x3d0f00])).toBe('allow')
    expect(decide('clone', [NEW_USER | 17])).toBe('EPERM')
    expect(decide('unshare', [0x20000])).toBe('allow')
    expect(decide('unshare', [NEW_USER | 0x20000])).toBe('EPERM')
  })

  it.each([
    [1, 'allow'],
    [2, 'allow'],
    [10, 'allow'],
    [16, 'allow'],
    [17, 'EAFNOSUPPORT'],
    [38, 'EAFNOSUPPORT'],
    [40, 'EAFNOSUPPORT'],
    [31, 'EAFNOSUPPORT'],
  ])('answers a socket of family %i with %s', (family, answer) => {
    expect(decide('socket', [family])).toBe(answer)
  })

  it('refuses setuid and setgid bits, however they are set', () => {
    expect(decide('fchmod', [3, 0o755])).toBe('allow')
    expect(decide('fchmod', [3, 0o4755])).toBe('EPERM')
    expect(decide('fchmodat', [-100, 0, 0o2755])).toBe('EPERM')
    expect(decide('openat', [-100, 0, 0o101, 0o644])).toBe('allow')
    expect(decide('openat', [-100, 0, 0o101, 0o4755])).toBe('EPERM')
    // Without a file to create the mode is whatever was in the register.
    expect(decide('openat', [-100, 0, 0, 0o4755])).toBe('allow')
  })

  it('refuses uncounted memory if no cgroup counts it', () => {
    expect(decide('memfdCreate')).toBe('ENOSYS')
    expect(decide('memfdCreate', [], counted)).toBe('allow')
    expect(decide('shmget', [0, 4096])).toBe('allow')
    expect(decide('shmget', [0, 2 ** 30])).toBe('EINVAL')
    expect(decide('shmget', [0, 2 ** 40])).toBe('EINVAL')
    expect(decide('shmget', [0, 2 ** 30], counted)).toBe('allow')
  })

  it('refuses words put into a terminal', () => {
    expect(decide('ioctl', [0, 0x5412])).toBe('EPERM')
    expect(decide('ioctl', [0, 0x5413])).toBe('allow')
  })

  it('ends programs that speak another machine’s calls', () => {
    expect(decided(filter, { arch: 0x40000003, call: 1, args: [] })).toBe('kill')
  })

  it('allows the rest', () => {
    for (const call of [0, 1, 63, 64, 93, 231, 332])
      expect(decided(filter, { arch: ARCH[machine], call, args: [] })).toBe('allow')
  })
})

describe('the seccomp filter', () => {
  it('refuses the 32-bit calls of x64', () => {
    const filter = seccompFilter({ memoryCounted: true }, 'x64')
    expect(decided(filter, { arch: ARCH.x64, call: 0x40000000 + 39, args: [] })).toBe('ENOSYS')
  })

  it('is not there for a machine that it does not know', () => {
    expect(seccompFilter({ memoryCounted: true }, 'ppc64')).toBeUndefined()
  })
})

const ANSWERS: Readonly<Record<number, string>> = {
  0x7fff0000: 'allow',
  0x80000000: 'kill',
  0x50001: 'EPERM',
  0x50016: 'EINVAL',
  0x50026: 'ENOSYS',
  0x50061: 'EAFNOSUPPORT',
}

/** Runs the filter as the kernel would. */
function decided(program: Uint8Array | undefined, of: { arch: number; call: number; args: readonly number[] }): string {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(of.call, 0)
  data.writeUInt32LE(of.arch, 4)
  for (const [at, value] of of.args.entries()) data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * at)
  const bytes = Buffer.from(program ?? [])
  let loaded = 0
  for (let at = 0; at * 8 < bytes.length; at++) {
    const [code, value] = [bytes.readUInt16LE(at * 8), bytes.readUInt32LE(at * 8 + 4)]
    if (code === 0x06) return ANSWERS[value] ?? `answer ${value.toString(16)}`
    if (code === 0x20) loaded = data.readUInt32LE(value)
    else at += bytes.readUInt8(at * 8 + (holds(code, loaded, value) ? 2 : 3))
  }
  return 'fell off the end'
}

function holds(code: number, loaded: number, value: number): boolean {
  if (code === 0x15) return loaded === value
  if (code === 0x25) return loaded > value
  if (code === 0x35) return loaded >= value
  if (code === 0x45) return (loaded & value) !== 0
  throw new Error(`The filter has an instruction ${code.toString(16)}`)
}
