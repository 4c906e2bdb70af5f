// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { fakeWeb } from '../../src/testing/fake-web.ts'
import { temporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

/** Node goes through our proxy when it is told to; every machine that runs this has it. */
const get = (url: string) =>
  `node -e 'fetch("${url}").then(async r => console.log(r.status, await r.text()), e => console.log("failed"))'`

describe('the network of a command', () => {
  it('is the hosts that were granted and nothing else, and the record says what was asked', async () => {
    await using web = await fakeWeb({
      hosts: ['packages.example'],
      answer: (url, _, response) => void response.end(`hello from ${url}`),
    })
    await using workspace = temporaryWorkspace()
    const records: object[] = []
    const kit = await workspace.open({
      permissions: ['exec', 'net:packages.example'],
      network: web.network,
      // The fake web signs its certificate itself.
      commandEnv: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      onRecord: record => records.push(record),
    })
    const command = `${get('https://packages.example/a')}; ${get('https://other.example/b')}`
    const { outcome } = await kit.run('run', { command, hosts: ['https://packages.example'] })
    if (!outcome.ok) throw outcome.error
    expect(Object(outcome.data).stdout).toMatch(/^200 hello from https:\/\/packages\.example\/a\n(403 .*|failed)\n$/)
    expect(web.requests.map(({ url }) => url)).toEqual(['https://packages.example/a'])
    expect(Reflect.get(records[0] ?? {}, 'net')).toEqual([
      expect.objectContaining({ origin: 'https://packages.example', allowed: true }),
      expect.objectContaining({ origin: 'https://other.example', allowed: false }),
    ])
    const none = await kit.run('run', { command: get('https://packages.example/a') })
    expect(none.outcome).toMatchObject({ ok: true, data: { stdout: 'failed\n' } })
    expect((await kit.run('run', { command: 'true', hosts: ['other.example'] })).outcome).toMatchObject({
      ok: false,
      error: { code: 'rejected' },
    })
    const fixed = await workspace.open({ permissions: ['exec', 'net'], deterministic: true })
    expect((await fixed.run('run', { command: 'true', hosts: ['packages.example'] })).outcome).toMatchObject({
      ok: false,
      error: { code: 'unavailable' },
    })
  })

  it('CA-10, SG-13: is what the user’s own rules open by name, where a call cannot say which hosts it needs', async () => {
    await using web = await fakeWeb({
      hosts: ['packages.example'],
      answer: (url, _, response) => void response.end(`hello from ${url}`),
    })
    await using workspace = temporaryWorkspace()
    const command = `${get('https://packages.example/a')}; ${get('https://other.example/b')}`
    const open = (contract: string, ...permissions: string[]) =>
      workspace.open({
        contract,
        permissions: ['exec', ...permissions],
        network: web.network,
        commandEnv: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      })
    for (const [contract, tool] of [
      ['cli-agent', 'run_in_terminal'],
      ['sage', 'Bash'],
    ] as const) {
      const named = JSON.stringify(await (await open(contract, 'net:packages.example')).call(tool, { command }))
      expect(named).toMatch(/200 hello from https:..packages/)
      expect(named).not.toContain('hello from https://other')
    }
    // A pattern was not written with commands in mind.
    const wide = await open('cli-agent', 'net')
    expect(JSON.stringify(await wide.call('run_in_terminal', { command }))).toMatch(/failed.*failed/)
    const asked: unknown[] = []
    const asking = await workspace.open({
      contract: 'cli-agent',
      permissions: ['net:packages.example'],
      network: web.network,
      approve: ({ card }) => {
        asked.push(card.proposal)
        return { answer: 'always', by: 'test' }
      },
    })
    for (const line of ['git --version', 'git --version'])
      expect(await asking.call('run_in_terminal', { command: line })).toMatchObject({ success: true })
    expect(asked).toEqual([expect.not.stringContaining('packages')])
    const fixed = await workspace.open({
      contract: 'sage',
      permissions: ['exec', 'net:packages.example'],
      deterministic: true,
    })
    expect(await fixed.call('Bash', { command: 'echo x' })).toMatchObject({ ok: true, data: { stdout: 'x\n' } })
  })

  it('is said, on the card and in the answer, to be no part of a transaction', async () => {
    await using web = await fakeWeb({
      hosts: ['packages.example'],
      answer: (_url, _, response) => void response.end('x'),
    })
    await using workspace = temporaryWorkspace()
    const whys: string[] = []
    const kit = await workspace.open({
      network: web.network,
      commandEnv: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      approve: ({ card }) => {
        whys.push(card.why)
        return { answer: 'yes', by: 'ada' }
      },
    })
    const run = async (command: string, ...hosts: string[]) =>
      (await kit.run('run', { command, ...(hosts.length > 0 && { hosts }) })).outcome.meta.warnings?.join() ?? ''
    const lines = [
      ['git push origin main'],
      ['sh -c "git push"'],
      [get('https://packages.example/a'), 'packages.example'],
      ['true'],
      ['true', 'packages.example'],
    ] as const
    const said = async (): Promise<readonly (readonly [boolean, boolean])[]> => {
      const found: (readonly [boolean, boolean])[] = []
      for (const [command, ...hosts] of lines) {
        const warning = await run(command, ...hosts)
        found.push([
          /cannot be rolled back/.test(whys.at(-1) ?? ''),
          /what it sent there, such as a push/.test(warning),
        ])
      }
      return found
    }
    const none = lines.map(() => [false, false])
    expect(await said()).toEqual(none)
    await kit.run('stage', { action: 'begin' })
    expect(await said()).toEqual([
      [true, false],
      [true, false],
      [true, true],
      [false, false],
      [true, false],
    ])
    expect(whys).toHaveLength(2 * lines.length)
  })
})
