import { existsSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failure, OUTSIDE, success, useAgent } from './rig.ts'

const agent = useAgent({ 'test.txt': 'text\n', 'lib/a.txt': '' })
const at = (path: string) => join(agent.workspace.path, path)
const made = (path: string, created_parents: readonly string[]) =>
  success(`Created directory: ${path}`, [path], { created_parents })

describe('create_directory', () => {
  it('CA-12, CA-02: makes a directory with its parent and answers as printed', async () => {
    expect(await agent.call('create_directory', { path: 'src/models' })).toStrictEqual(made('src/models', ['src']))
    expect(statSync(at('src/models')).isDirectory()).toBe(true)
  })

  it('CA-12: names every parent that had to be made, and none that was there', async () => {
    expect(await agent.call('create_directory', { path: 'a/b/c' })).toStrictEqual(made('a/b/c', ['a', 'a/b']))
    expect(await agent.call('create_directory', { path: 'lib/new' })).toStrictEqual(made('lib/new', []))
    expect(await agent.call('create_directory', { path: 'plain' })).toStrictEqual(made('plain', []))
  })

  it('CA-12: no error where it exists', async () => {
    const before = agent.workspace.snapshot()
    expect(await agent.call('create_directory', { path: 'lib' })).toStrictEqual(
      success('Directory already exists: lib', [], { created_parents: [] }),
    )
    expect(await agent.call('create_directory', { path: '.' })).toMatchObject({ success: true, files_affected: [] })
    expect(agent.workspace.snapshot()).toEqual(before)
  })

  it('CA-12: a file in the way, in the printed words', async () => {
    expect(await agent.fails('create_directory', { path: 'test.txt' })).toStrictEqual(
      failure('file_exists', "Path 'test.txt' exists as a file, cannot create directory"),
    )
  })

  it.each(['test.txt/sub', 'test.txt/sub/deep', 'lib/../test.txt/sub'])(
    'CA-12: says that a parent is a file: %s',
    async path => {
      expect(await agent.fails('create_directory', { path })).toStrictEqual(
        failure(
          'not_a_directory',
          "'test.txt' is a file, not a directory",
          'Use a path that leads through directories only',
        ),
      )
    },
  )

  it('CA-12: what may not be written, in the printed words', async () => {
    const options = { permissions: ['fs:read'], permissionsOnly: true }
    expect(await agent.fails('create_directory', { path: 'new' }, options)).toStrictEqual(
      failure('permission_denied', 'Cannot create directory - permission denied'),
    )
    expect(await agent.fails('create_directory', { path: '.git/hooks' })).toStrictEqual(
      failure('permission_denied', 'Cannot create directory - permission denied'),
    )
  })

  it.each(OUTSIDE)('CA-12: refuses %s, which is outside', async path => {
    expect(await agent.fails('create_directory', { path })).toStrictEqual(
      failure('path_outside_working_dir', `Path '${path}' is outside working directory`),
    )
  })

  it('CA-12: follows a link inside, and none out', async () => {
    symlinkSync('lib', at('inside'))
    symlinkSync('..', at('out'))
    expect(await agent.call('create_directory', { path: 'inside/sub' })).toMatchObject({ success: true })
    expect(existsSync(at('lib/sub'))).toBe(true)
    expect(await agent.fails('create_directory', { path: 'out/sub' })).toMatchObject({
      error: { code: 'path_outside_working_dir' },
    })
    expect(existsSync(join(agent.workspace.base, 'sub'))).toBe(false)
  })

  it.each([
    [{}, /Missing parameter 'path'/],
    [{ path: true }, /Parameter 'path'.*expected string, received boolean/],
    [{ path: 'x', mode: 0o755 }, /Unknown parameter 'mode'/],
    [{ path: '' }, /path is empty/],
    [{ path: 'nul\0' }, /NUL character/],
    [{ path: `a/${'n'.repeat(256)}` }, /longer than 255 bytes/],
    [null, /expected object, received null/],
  ])('CA-12, CA-03: names what is wrong with %j', async (input, message) => {
    expect(await agent.fails('create_directory', input)).toMatchObject({
      output: expect.stringMatching(message),
      error: { code: 'invalid_parameters', suggestion: expect.stringMatching(/\w/) },
    })
  })

  it('CA-18: a deep path', async () => {
    const path = Array.from({ length: 100 }, (_, count) => `d${count}`).join('/')
    const answer = Object(await agent.call('create_directory', { path }))
    expect(answer.metadata.created_parents).toHaveLength(99)
    expect(existsSync(at(path))).toBe(true)
  })

  it('CA-18: special characters in names', async () => {
    for (const path of ['with space', 'žluť 🐎', '-p', 'new\nline', '*?[x]', "quo'te"])
      expect(await agent.call('create_directory', { path })).toStrictEqual(made(path, []))
    expect(existsSync(at('new\nline'))).toBe(true)
  })

  it('CA-18: Unix spellings mean one place; a Windows spelling is one name', async () => {
    expect(await agent.call('create_directory', { path: './lib//sub/' })).toMatchObject({ success: true })
    expect(existsSync(at('lib/sub'))).toBe(true)
    expect(await agent.call('create_directory', { path: 'C:\\temp' })).toStrictEqual(made('C:\\temp', []))
    expect(existsSync(at('C:\\temp'))).toBe(true)
  })

  it('CA-12: can be undone as a whole', async () => {
    const before = agent.workspace.snapshot()
    const kit = await agent.open()
    const { outcome } = await kit.run('create_directory', { path: 'a/b/c' })
    expect(outcome.meta.undo).toBeDefined()
    await kit.run('undo', { id: outcome.meta.undo }, { contract: 'toolwright' })
    expect(agent.workspace.snapshot()).toEqual(before)
  })
})
