import { describe, expect, it } from 'vitest'
import { toolwright } from '../../../src/contracts.ts'
import { fakePerson } from '../../../src/testing/index.ts'
import { CONNECTION, outputOf, useProduct } from './rig.ts'

const product = useProduct({ 'src/a.ts': 'export const a = 1\n' })
const github = { repository: 'acme/shop', token: '$ENV.SHOP_TOKEN' }
const FILES = { files: [{ path: 'src/a.ts', name: 'a.ts', size: 19 }], truncated: false }
const REPOSITORY_TOOLS = ['list_dirs', 'list_files', 'read_file', 'search_code']

describe('a repository of the configuration', () => {
  it('AA-07: is read unasked, and the claim is in the record', async () => {
    await using world = await product.configured({ github })
    expect(await world.call('list_files', { path: 'src' })).toEqual(FILES)
    expect([...world.kit.workspace.journal.read()].at(-1)).toMatchObject({
      claims: [{ action: 'net', resource: 'https://api.github.com', repository: true }],
      verdict: { verdict: 'allow', rule: 'builtin:repository' },
    })
  })

  it('grants no other use of its address', async () => {
    await using world = await product.configured({ github })
    const session = world.kit.session({ contract: toolwright, network: product.github.network })
    const { outcome } = await session.run('fetch', { url: 'https://api.github.com/user' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
  })

  it.each([
    ['a rule of the user', { policy: { rules: [{ action: 'net', host: 'api.github.com', verdict: 'deny' }] } }, {}],
    ['a default of the user', { policy: { defaults: { net: 'deny' } } }, {}],
    ['the project', {}, { project: { policy: { defaults: { net: 'deny' } } } }],
    ['a session with other permissions only', {}, { permissions: ['fs:read'], permissionsOnly: true }],
  ])('is refused where %s denies it', async (_who, user, options) => {
    const sent = product.github.requests.length
    await using world = await product.configured({ github, ...user }, options)
    expect(await world.call('list_files', { path: 'src' })).toEqual({
      error: expect.stringContaining('net https://api.github.com'),
    })
    expect(product.github.requests).toHaveLength(sent)
  })

  it('is asked about where a rule asks', async () => {
    const approve = fakePerson('yes')
    const rules = [{ action: 'net', verdict: 'ask' }]
    await using world = await product.configured({ github, policy: { rules } }, { approve })
    expect(await world.call('list_files', { path: 'src' })).toEqual(FILES)
    expect(approve.asked).toHaveLength(1)
  })

  it('is refused in deterministic mode', async () => {
    await using world = await product.configured({ github })
    const kit = world.kit.session({ deterministic: true })
    expect(outputOf(await kit.call('list_files', {}))).toEqual({
      error: expect.stringContaining('There is no network here'),
    })
  })

  it('is read in a read-only session, which lists the tools for it', async () => {
    await using world = await product.configured({ github }, { readOnly: true })
    expect(world.kit.tools().map(({ name }) => name)).toEqual(expect.arrayContaining(REPOSITORY_TOOLS))
    expect(await world.call('list_files', { path: 'src' })).toEqual(FILES)
  })
})

describe('a repository of a program', () => {
  it('is asked about, also where the configuration names one at the same address', async () => {
    await using world = await product.configured({ github }, { github: CONNECTION })
    expect(await world.call('list_files', { path: 'src' })).toEqual({
      error: expect.stringContaining('net:api.github.com'),
    })
  })
})
