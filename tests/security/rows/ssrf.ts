import { BlockList, isIP } from 'node:net'
import { fakeSecrets } from '../../../src/testing/fakes.ts'
import { fakeWeb, type FakeName, type FakeWeb } from '../../../src/testing/fake-web.ts'
import type { Outcome } from '../../../src/kernel/outcome.ts'
import { showOutcome } from '../../../src/surfaces/cli/show-outcome.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { rawCharacter } from '../raw-characters.ts'
import { findings, type Findings, type Result, type Row, type RunRow } from '../row.ts'
import { makeWorld, type World } from '../world.ts'
import { answerWith, type FakeResponse } from './ssrf-server.ts'

export interface SsrfRow extends Row {
  readonly url: string
  readonly dns?: Readonly<Record<string, FakeName>>
  readonly responses?: Readonly<Record<string, FakeResponse>>
  readonly allow_domains?: readonly string[]
  readonly request_headers?: Readonly<Record<string, string>>
}

const TIME_MS = 3_000
const MOST_MEMORY = 200_000_000
const SECRET = 'tok-5e0b6c1f-not-for-others'
/** What a refusal or a clean failure may be called; anything else is a defect. */
const REFUSALS = new Set(['denied', 'invalid_input', 'rejected', 'io', 'timeout'])

/** Fetches each row's URL by the tool itself, in a world where its names and servers are as the row says. */
export function ssrfRows(): RunRow {
  let world: World | undefined
  let kit: Promise<Toolkit> | undefined
  const run = async (row: Row): Promise<Result> => {
    world ??= makeWorld()
    return fetchRow(row as SsrfRow, world, await (kit ??= world.open()))
  }
  return Object.assign(run, { close: async () => world?.[Symbol.asyncDispose]() })
}

async function fetchRow(row: SsrfRow, world: World, kit: Toolkit): Promise<Result> {
  const { url, dns = {}, responses = {}, allow_domains = ['*'], request_headers: headers } = row
  const found = findings()
  await using web = await fakeWeb({ dns, hosts: hostsOf(row), answer: answerWith(responses) })
  const session = kit.session({
    permissions: allow_domains.map(domain => `net:${domain}`),
    secrets: fakeSecrets({ TOKEN: SECRET }),
    grantSecrets: true,
    network: web.network,
  })
  const memory = process.memoryUsage().rss
  const since = performance.now()
  const { outcome } = await session.run('fetch', { url, timeoutMs: TIME_MS, ...(headers && { headers }) })
  const took = performance.now() - since
  const verdict = outcome.ok ? 'allow' : 'deny'
  found.demand((row.ok ?? [row.expect]).includes(verdict), outcome.ok ? 'it was fetched' : outcome.error.message)
  if (!outcome.ok) found.demand(REFUSALS.has(outcome.error.code), `it failed as ${outcome.error.code}`)
  found.demand(took < TIME_MS + 10_000, `it took ${Math.round(took)} ms`)
  found.demand(process.memoryUsage().rss - memory < MOST_MEMORY, 'it took too much memory')
  demandPublic(found, web)
  demandNoSecret(found, web, new URL(row.invariant?.includes('authorization') ? url : 'https://nowhere.invalid').origin)
  await demandInert(found, kit, world, outcome)
  return found.result(verdict)
}

/** Connections are the proof: whatever was answered, nothing inside may have been reached. */
function demandPublic(found: Findings, { connections }: FakeWeb): void {
  for (const { address } of connections) {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    found.demand(!INSIDE[family].check(address, family), `it connected to ${address}`)
  }
}

/** A secret goes only to the origin that it was sent to, over TLS. */
function demandNoSecret(found: Findings, { requests }: FakeWeb, origin: string): void {
  for (const { url, headers } of requests) {
    const isFirst = new URL(url).origin === origin && url.startsWith('https:')
    const text = JSON.stringify(headers)
    found.demand(isFirst || !text.includes(SECRET), `the secret went to ${url}`)
    found.demand(isFirst || headers.authorization === undefined, `credentials went to ${url}`)
  }
}

async function demandInert(found: Findings, kit: Toolkit, world: World, outcome: Outcome): Promise<void> {
  const terminal = fakeTerminal(world.root, world.env)
  await showOutcome(terminal, kit, 'fetch', outcome)
  const shown = terminal.out() + terminal.err()
  found.demand(shown !== '', 'the terminal is shown nothing')
  const raw = rawCharacter(shown)
  found.demand(raw === undefined, `the terminal is shown ${raw}`)
}

/** Every host that the row speaks of, so that no certificate decides it. */
function hostsOf({ url, dns = {}, responses = {} }: SsrfRow): string[] {
  const urls = [url, ...Object.keys(responses), ...Object.values(responses).map(({ location }) => location ?? '')]
  const named = urls.map(text => URL.parse(text)?.hostname.replace(/^\[|\]$/g, '') ?? '')
  const all = [...named, ...Object.keys(dns)].map(host => host.replace(/\.$/, ''))
  return [...new Set(all)].filter(host => /^[\w.:-]{1,253}$/.test(host))
}

/** The special-purpose registries, written down apart from the product's own list and checked by the system's. */
const INSIDE = {
  ipv4: blocked(
    'ipv4',
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 ' +
      '192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  ),
  ipv6: blocked(
    'ipv6',
    '::/96 ::ffff:0:0:0/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/9 ff00::/8',
  ),
}

function blocked(family: 'ipv4' | 'ipv6', networks: string): BlockList {
  const list = new BlockList()
  for (const [network = '', bits] of networks.split(' ').map(text => text.split('/')))
    list.addSubnet(network, Number(bits), family)
  return list
}
