import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import { makeWorld } from './world.ts'

const CANARY = 'hunter2-canary'

/** A workspace in which every `.env` is denied, and other places hold the same text outside. */
async function worldWithSecrets() {
  const world = makeWorld()
  const put = (path: string, text: string) => {
    mkdirSync(join(world.base, path, '..'), { recursive: true })
    writeFileSync(join(world.base, path), text)
  }
  put('ws/.env', `${CANARY}\n`)
  put('ws/deep/er/.env.local', `${CANARY}\n`)
  put('ws/app.py', 'plain\n')
  put('outside/secret.txt', `${CANARY}\n`)
  symlinkSync('../outside', join(world.root, 'link-dir'))
  symlinkSync('../outside/secret.txt', join(world.root, 'link-file'))
  symlinkSync('.env', join(world.root, 'alias'))
  mkdirSync(world.env['TOOLWRIGHT_CONFIG_HOME'] ?? '', { recursive: true })
  writeFileSync(
    join(world.env['TOOLWRIGHT_CONFIG_HOME'] ?? '', 'config.json'),
    JSON.stringify({ policy: { rules: [{ action: 'read', path: '**/.env*', verdict: 'deny' }] } }),
  )
  return world
}

describe('searching', () => {
  it('shows nothing of denied files, nor of what lies outside', async () => {
    await using world = await worldWithSecrets()
    const kit = await world.open({ contract: 'cli-agent', permissions: ['fs:read'] })
    const calls: [string, object][] = [
      ['grep_search', { pattern: CANARY }],
      ['grep_search', { pattern: 'hunter\\d', is_regex: true }],
      ['grep_search', { pattern: CANARY, file_pattern: '.env*' }],
      ['grep_search', { pattern: CANARY, file_pattern: '**' }],
      ['file_search', { pattern: '**' }],
      ['file_search', { pattern: '**/.env*' }],
      ['file_search', { pattern: '*', base_path: 'deep/er' }],
      ['list_dir', {}],
      ['list_dir', { path: 'deep/er' }],
    ]
    for (const [tool, input] of calls) {
      const answer = Object(await kit.call(tool, input))
      expect(answer).toMatchObject({ success: true })
      expect(answer.output.split('\n').slice(1).join('\n')).not.toMatch(/hunter2|\.env|secret\.txt/)
    }
    for (const [tool, input] of [
      ['list_dir', { path: 'link-dir' }],
      ['file_search', { pattern: '*', base_path: 'link-dir' }],
      ['read_file', { path: 'alias' }],
    ] as const) {
      const answer = await kit.call(tool, input)
      expect(answer).toMatchObject({ success: false })
      expect(JSON.stringify(answer)).not.toContain(CANARY)
    }
  })

  it('counts only what may be known', async () => {
    await using world = await worldWithSecrets()
    const kit = await world.open({ contract: 'cli-agent', permissions: ['fs:read'] })
    const figures = async (tool: string, input: object) => Object(await kit.call(tool, input)).metadata
    expect(await figures('grep_search', { pattern: CANARY })).toEqual({
      total_matches: 0,
      files_searched: 1,
      pattern: CANARY,
    })
    expect(await figures('grep_search', { pattern: 'nowhere', file_pattern: '.env*' })).toMatchObject({
      total_matches: 0,
      files_searched: 0,
    })
    expect(await figures('file_search', { pattern: '**' })).toEqual({ matches: 1, pattern: '**' })
    expect(await figures('list_dir', { path: 'deep/er' })).toEqual({ total_entries: 0, files: 0, directories: 0 })
  })

  it('hides a denied file that is only staged', async () => {
    await using world = await worldWithSecrets()
    const kit = await world.open({ contract: 'cli-agent', permissions: ['fs:read', 'fs:write'] })
    await kit.transaction(async session => {
      expect(await session.call('create_file', { path: '.env.new', content: `${CANARY}\n` })).toMatchObject({
        success: true,
      })
      expect(await session.call('grep_search', { pattern: CANARY })).toMatchObject({
        metadata: { total_matches: 0, files_searched: 1 },
      })
      expect(await session.call('file_search', { pattern: '**' })).toMatchObject({ metadata: { matches: 1 } })
    })
  })

  it('finds what a person allowed to be searched, and still nothing of what a rule denies', async () => {
    await using world = await worldWithSecrets()
    const config = join(world.base, 'strict.json')
    const rules = [{ action: 'read', path: '**/.env*', verdict: 'deny' }]
    writeFileSync(config, JSON.stringify({ policy: { defaults: { read: 'ask' }, rules } }))
    const kit = await world.open({ contract: 'cli-agent', config, approve: fakePerson('yes', 'yes', 'yes', 'no') })
    expect(await kit.call('grep_search', { pattern: 'plain' })).toMatchObject({
      output: "Found 1 match for 'plain':\n  app.py:1: plain\n",
      metadata: { files_searched: 1 },
    })
    expect(await kit.call('file_search', { pattern: '**' })).toMatchObject({ metadata: { matches: 1 } })
    expect(String(Object(await kit.call('list_dir', {})).output).split('\n')).toEqual(
      expect.arrayContaining(['  app.py', '  deep/']),
    )
    expect(await kit.call('grep_search', { pattern: 'plain' })).toMatchObject({ error: { code: 'not_approved' } })
  })
})
