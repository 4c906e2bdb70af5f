// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { createSocket } from 'node:dgram'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { maskedProc, playing } from './played.ts'
import { openWorld, worldNames, type Played, type World, type WorldName } from './world.ts'

interface Probes {
  readonly results: Readonly<Record<string, string>>
  readonly facts: Readonly<Record<string, string>>
  readonly interfaces: readonly string[]
  readonly processes: number
  readonly env: readonly string[]
}

const it = needs('bubblewrap')

/** With a masked /proc root has no user namespace to hide in: the same must hold there. */
const machines: readonly (readonly [string, WorldName, Played])[] = [
  ...worldNames.map(name => [name, name, {}] as const),
  ...worldNames.filter(name => name !== 'user').map(name => [`${name}, masked`, name, playing(maskedProc)] as const),
]

describe.each(machines)('a command in the sandbox (%s)', (_, name, played) => {
  let world: World
  let probes: Probes
  const servers: { close(): void }[] = []

  beforeAll(async () => {
    world = openWorld(name)
    probes = await probed(world, servers, played)
  })

  afterAll(async () => {
    for (const server of servers) server.close()
    await world.close()
  })

  it.each([
    'TCP to the host',
    'TCP to the world',
    'UDP',
    'a unix socket outside',
    'an abstract socket',
    'DNS',
    'reading a file outside',
    'writing to /usr',
    'writing to /etc',
    'writing to /',
    'writing to /dev',
    'reading the home directory',
    'reading the real home directory',
    '/etc/shadow',
    'a process of the host',
    'killing a process of the host',
    'the root of the first process',
    'our own root',
    'the working directory of the first process',
    'a link to the outside',
    'a hidden file',
    'a hidden file, moved away',
    'a hidden file, removed',
    'a new user namespace',
    'a new mount namespace',
    'a mount',
    'another root',
    'a namespace of the first process',
    'a sysctl',
    'any sysctl',
    'the kernel trigger',
    'files of the kernel',
    'the memory of the kernel',
    'the kernel log',
    'a device',
    'a setuid file',
    'a setuid bit',
    'a left-over descriptor',
    'a descriptor of the first process',
    'the environment of the first process',
    'our environment',
    'the arguments of the sandbox',
    'the host name',
  ])('does not get: %s', attempt => {
    expect(probes.results[attempt]).toBeDefined()
    expect(probes.results[attempt]).not.toMatch(/^OUT/)
  })

  it('leaves nothing out of the list above', () => {
    const out = Object.entries(probes.results).filter(([, result]) => result.startsWith('OUT'))
    expect(out.filter(([attempt]) => !IN_PRIVATE.has(attempt))).toEqual([])
  })

  it('has no capability in any set, and cannot gain privileges', () => {
    const { facts } = probes
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) expect(facts[set]).toBe('0'.repeat(16))
    expect(facts['NoNewPrivs']).toBe('1')
    expect(facts['Seccomp']).toBe('2')
    if (name !== 'root-on-root' || played.asRoot === undefined) expect(facts['Uid']).not.toMatch(/\b0\b/)
  })

  it('has no descriptor but its three, whatever was left open in the one who started it', async () => {
    const spec = world.spec(['/bin/sh', '-c', 'cd /proc/self/fd && echo *'])
    const [answer] = await world.run([spec], {}, played)
    // The fourth is the directory that is being listed.
    expect(answer?.stdout.trim()).toMatch(/^0 1 2( 3)?$/)
  })

  it('is alone: its own processes, and no network but its own loopback', () => {
    expect(probes.interfaces).toEqual(['lo'])
    expect(probes.processes).toBeLessThan(6)
  })

  it('has exactly the environment it was given, and what its places need', () => {
    const own = ['GIVEN', 'HOME', 'LOGNAME', 'PATH', 'PWD', 'TMPDIR', 'USER']
    expect(probes.env.filter(variable => variable !== 'PWD')).toEqual(own.filter(variable => variable !== 'PWD'))
  })

  it('changed nothing outside', () => {
    expect(readFileSync(join(world.base, 'outside.txt'), 'utf8')).toBe('outside')
    expect(existsSync(join(world.base, 'outside.txt.new'))).toBe(false)
    expect(readdirSync(world.base).filter(entry => !BESIDE.has(entry))).toEqual([])
    expect(statSync(join(world.root, '.env')).size).toBeGreaterThan(0)
  })
})

/** They seem to work in the command's own /tmp, where the real files are not; that those stayed the same is seen above. */
const IN_PRIVATE = new Set(['writing a file outside', 'a link to the outside, written'])

const BESIDE = new Set([
  'workspace',
  'home',
  'outside.txt',
  'left-open.txt',
  'outside.sock',
  'repository',
  'installation',
])

async function probed(world: World, servers: { close(): void }[], played: Played): Promise<Probes> {
  const outside = join(world.base, 'outside.txt')
  writeFileSync(outside, 'outside')
  writeFileSync(join(world.home, 'secret.txt'), 'secret')
  mkdirSync(join(world.root, 'own'))
  world.write('.env', 'TOKEN=secret')
  copyFileSync(join(import.meta.dirname, 'probes.mjs'), join(world.root, 'probes.mjs'))
  const tcp = createServer(connection => connection.end('hello'))
  const unix = createServer(connection => connection.end('hello'))
  const abstract = createServer(connection => connection.end('hello'))
  const udp = createSocket('udp4')
  udp.on('message', (_, from) => udp.send('hello', from.port, from.address))
  servers.push(tcp, unix, abstract, udp)
  await listening(tcp, { host: '127.0.0.1', port: 0 })
  await listening(unix, { path: join(world.base, 'outside.sock'), writableAll: true, readableAll: true })
  const name = `toolwright-test-${process.pid}-${world.root}`
  await listening(abstract, { path: `\0${name}` })
  await new Promise<void>(resolve => udp.bind(0, '127.0.0.1', resolve))
  const realFile = readdirSync(homedir(), { withFileTypes: true }).find(entry => entry.isFile())?.name ?? '.profile'
  const facts = {
    tcp: (tcp.address() as AddressInfo).port,
    udp: udp.address().port,
    socket: join(world.base, 'outside.sock'),
    abstract: name,
    outside,
    home: world.home,
    realHome: homedir(),
    realFile,
    pid: process.pid,
    secret: 'do not tell',
    hidden: '.env',
    canary: hostname(),
  }
  const spec = world.spec(['node', 'probes.mjs', JSON.stringify(facts)], { hidden: ['.env'], env: { GIVEN: '1' } })
  const [answer] = await world.run([spec], {}, played)
  if (!answer?.stdout.startsWith('{')) throw new Error(`The probes did not run: ${JSON.stringify(answer)}`)
  return JSON.parse(answer.stdout)
}

const listening = (server: Server, to: Parameters<Server['listen']>[0]): Promise<void> =>
  new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(to, () => resolve())
  })
