import { readdirSync, readFileSync, statSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readKept } from '../../../src/machine/journal/kept-text.ts'
import { fakeGithub, fakePerson, fakeSecrets, temporaryWorkspace } from '../../../src/testing/index.ts'
import { CONNECTION, NO_CONNECTION, outputOf, TOKEN, useProduct } from './rig.ts'

const big = Array.from({ length: 400 }, (_, line) => `export const line${line} = ${line}`).join('\n')
const product = useProduct({
  'src/a.ts': 'export const a = 1\n',
  'src/big.ts': big,
  'leak.txt': `token: ${TOKEN}\n`,
  '.env': 'KEY=1\n',
  'private/notes.md': 'notes\n',
})

/** Everything that is kept of a workspace, in one text. */
const kept = (directory: string): string =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map(name => join(directory, name))
    .filter(path => statSync(path).isFile())
    .map(path => readFileSync(path, 'latin1'))
    .join('\n')

describe('what is kept of a call', () => {
  it('AA-11: an output over 10 KB is put in storage, and the log holds a reference to it', async () => {
    const kit = await product.open()
    const answer = Object(outputOf(await kit.call('read_file', { path: 'src/big.ts' })))
    expect(answer.content).toBe(big)
    const record = [...kit.workspace.journal.read()].findLast(({ type }) => type === 'call')
    expect(record).toMatchObject({ tool: 'autonomous/read_file', outputRef: { ref: expect.any(String) } })
    expect(record).not.toHaveProperty('output')
    const stored = readKept(kit.workspace.payloads, Object(record)['outputRef'].ref)
    expect(JSON.parse(String(stored?.text))).toEqual(answer)
  })

  it('AA-11: a small output is in the log itself', async () => {
    const kit = await product.open()
    const answer = outputOf(await kit.call('read_file', { path: 'src/a.ts' }))
    expect([...kit.workspace.journal.read()].findLast(({ type }) => type === 'call')).toMatchObject({ output: answer })
  })

  it('never shows the token: not in an answer, not in an error, not in the journal or its storage', async () => {
    const calls = [
      ['read_file', { path: 'leak.txt' }],
      ['search_code', { query: 'token' }],
      ['read_file', { path: TOKEN }],
      ['list_dirs', { depth: 9 }],
    ] as const
    const answers = []
    for (const [tool, input] of calls) answers.push(await product.result(tool, input))
    product.github.next({ status: 403, body: { message: `no access for ${TOKEN}` } })
    answers.push(await product.result('list_files', {}))
    product.github.next({ status: 301, headers: { location: `https://evil.example/${TOKEN}` } })
    answers.push(await product.result('list_files', {}))
    expect(answers[0]).toMatchObject({ output: { path: 'leak.txt' } })
    expect(answers[2]).toMatchObject({ name: 'read_file', input: { path: expect.any(String) } })
    expect(JSON.stringify(answers)).not.toContain(TOKEN)
    expect(kept(product.workspace.base)).not.toContain(TOKEN)
    expect(product.github.requests.every(({ url }) => url.startsWith('https://api.github.com/'))).toBe(true)
  })
})

describe('rules', () => {
  it('hold for the repository as for the workspace: what is denied is neither listed, read nor searched', async () => {
    const rules = [{ action: 'read', path: 'private/**', verdict: 'deny' }]
    await using workspace = temporaryWorkspace()
    configure(workspace.base, { policy: { rules } })
    const kit = await workspace.open({
      permissions: ['net:api.github.com'],
      network: product.github.network,
      github: CONNECTION,
      contract: 'autonomous',
    })
    // Reports whether it is a directory, a file or nothing at all is not told either.
    for (const path of ['private', 'private/notes.md', 'private/none'])
      expect(outputOf(await kit.call('list_files', { path }))).toEqual({
        error: `Refused: a rule denies reading '${path}'`,
      })
    expect(outputOf(await kit.call('read_file', { path: 'private/notes.md' }))).toEqual({
      error: expect.stringContaining("a rule denies reading 'private/notes.md'"),
    })
    expect(outputOf(await kit.call('search_code', { query: 'notes' }))).toEqual([])
  })

  it('ask about the host, and nothing is sent before approval', async () => {
    const before = product.github.requests.length
    const refused = await product.call('list_files', {}, { permissions: [] })
    expect(refused).toEqual({ error: expect.stringContaining('net:api.github.com') })
    const person = fakePerson('no')
    expect(await product.call('list_files', {}, { permissions: [], approve: person })).toHaveProperty('error')
    expect(person.asked[0]?.card.claims).toEqual([
      { action: 'net', resource: 'https://api.github.com', repository: true },
    ])
    expect(product.github.requests).toHaveLength(before)
    expect(await product.call('list_files', {}, { permissions: [], approve: fakePerson('yes') })).toHaveProperty(
      'files',
    )
  })

  it('keep connections from addresses inside, whatever name they go by', async () => {
    const network = { ...product.github.network, lookup: async () => ['10.0.0.7'] }
    const inside = {
      network,
      permissions: ['net:ghe.corp.example'],
      github: { ...CONNECTION, baseUrl: 'https://ghe.corp.example/api/v3' },
    }
    expect(await product.call('list_files', {}, inside)).toEqual({ error: expect.stringContaining('10.0.0.7') })
  })

  it('leave no network in deterministic mode', async () => {
    const kit = await product.workspace.open({
      deterministic: true,
      github: CONNECTION,
      contract: 'autonomous',
      permissions: ['net'],
    })
    expect(outputOf(await kit.call('list_files', {}))).toEqual({
      error: expect.stringContaining('There is no network here'),
    })
  })
})

describe('the rate limit', () => {
  it('ends a call with an error that says when to try again', async () => {
    const token = 'ghp_limited_limited_limited'
    await using github = await fakeGithub({ files: { 'a.txt': '' }, token })
    github.limit(0, new Date('2096-10-02T07:06:40Z'))
    const answer = await product.call('list_files', {}, { network: github.network, github: { ...CONNECTION, token } })
    expect(answer).toEqual({
      error: expect.stringMatching(
        /^GitHub's rate limit of this connection is used up until 2096-10-02T07:06:40.000Z\. /,
      ),
    })
  })
})

describe('the connection of the configuration', () => {
  const github = { repository: 'acme/shop', token: '$ENV.SHOP_TOKEN' }
  const open = async (user: object, more: { env?: Record<string, string>; project?: object } = {}) => {
    const workspace = temporaryWorkspace(more.project ? { 'toolwright.json': JSON.stringify(more.project) } : {})
    configure(workspace.base, { permissions: ['net:api.github.com', 'net:ghe.example.com'], ...user })
    const kit = await workspace.open({
      network: product.github.network,
      contract: 'autonomous',
      ...(more.env && { secrets: fakeSecrets(more.env) }),
    })
    return Object.assign(kit, { [Symbol.asyncDispose]: () => workspace.remove() })
  }

  it('AA-07: is used by every surface, its token filled in from the vault', async () => {
    await using kit = await open({ github }, { env: { SHOP_TOKEN: TOKEN } })
    expect(outputOf(await kit.call('list_files', { path: 'src' }))).toMatchObject({
      files: [{ name: 'a.ts' }, { name: 'big.ts' }],
    })
  })

  it('AA-07: is none where its secret is not there', async () => {
    await using kit = await open({ github })
    expect(outputOf(await kit.call('list_files', {}))).toEqual(NO_CONNECTION)
  })

  it('is never chosen by a file of the repository, which would choose where the token goes', async () => {
    const project = { github: { ...github, baseUrl: 'https://evil.example/api' } }
    await using kit = await open({ github }, { env: { SHOP_TOKEN: TOKEN }, project })
    expect(kit.config.notes).toEqual([expect.stringContaining("'github'")])
    expect(outputOf(await kit.call('list_files', { path: 'src' }))).toHaveProperty('files')
    await using other = await open({}, { env: { SHOP_TOKEN: TOKEN }, project })
    expect(outputOf(await other.call('list_files', { path: 'src' }))).toEqual(NO_CONNECTION)
  })

  it.each([
    ['a token that is written out', { ...github, token: TOKEN }, '$ENV.NAME'],
    ['no repository', { token: '$ENV.X' }, 'repository'],
    ['an address that is none', { ...github, baseUrl: 'ghe.example.com' }, 'Invalid URL'],
  ])('is refused with %s', async (_what, written, message) => {
    const failure = await open({ github: written }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(message) })
    expect(String(failure)).not.toContain(TOKEN)
  })
})

function configure(base: string, config: object): void {
  mkdirSync(join(base, 'config'), { recursive: true })
  writeFileSync(join(base, 'config/config.json'), JSON.stringify(config))
}
