import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failure, OUTSIDE, success, useAgent } from './rig.ts'

const agent = useAgent({ 'test.txt': 'old\n', 'src/app.py': '' })
const at = (path: string) => join(agent.workspace.path, path)

describe('create_file', () => {
  it('CA-04, CA-02: creates a file and answers as printed', async () => {
    const answer = await agent.call('create_file', { path: 'hello.py', content: 'x'.repeat(125) })
    expect(answer).toStrictEqual(success('Created file: hello.py (125 bytes)', ['hello.py']))
    expect(agent.workspace.read('hello.py')).toBe('x'.repeat(125))
  })

  it('CA-04: makes the directories on the way', async () => {
    const answer = await agent.call('create_file', { path: 'a/b/c.txt', content: 'c' })
    expect(answer).toStrictEqual(success('Created file: a/b/c.txt (1 bytes)', ['a/b/c.txt']))
    expect(agent.workspace.read('a/b/c.txt')).toBe('c')
  })

  it.each(OUTSIDE)('CA-04: refuses %s, which is outside', async path => {
    expect(await agent.fails('create_file', { path, content: 'x' })).toStrictEqual(
      failure('path_outside_working_dir', `Path '${path}' is outside working directory`),
    )
  })

  it('CA-04: follows no link out', async () => {
    symlinkSync('..', at('up'))
    symlinkSync('../planted.txt', at('dangling.txt'))
    for (const path of ['up/planted.txt', 'dangling.txt'])
      expect(await agent.fails('create_file', { path, content: 'x' })).toStrictEqual(
        failure('path_outside_working_dir', `Path '${path}' is outside working directory`),
      )
    expect(existsSync(join(agent.workspace.base, 'planted.txt'))).toBe(false)
  })

  it('CA-04: fails where the file exists, in the printed words', async () => {
    const printed = "File 'test.txt' already exists. Use replace_string_in_file to modify"
    expect(await agent.fails('create_file', { path: 'test.txt', content: 'x' })).toStrictEqual(
      failure('file_exists', printed, /replace_string_in_file/),
    )
  })

  it('CA-04: a directory of that name, or a file on the way, is an error', async () => {
    expect(await agent.fails('create_file', { path: 'src', content: 'x' })).toMatchObject({
      output: "Error: 'src' is a directory",
      error: { code: 'not_a_file' },
    })
    expect(await agent.fails('create_file', { path: 'test.txt/x', content: 'x' })).toMatchObject({
      error: { code: 'not_a_directory', suggestion: expect.stringMatching(/\w/) },
    })
  })

  it('CA-04: what may not be written is a printed refusal', async () => {
    const denied = failure('permission_denied', "Cannot create file 'protected.txt' - permission denied")
    const input = { path: 'protected.txt', content: 'x' }
    expect(await agent.fails('create_file', input, { permissions: [], permissionsOnly: true })).toStrictEqual(denied)
    expect(await agent.fails('create_file', { path: '.git/hooks/pre-commit', content: 'x' })).toStrictEqual(
      failure('permission_denied', "Cannot create file '.git/hooks/pre-commit' - permission denied"),
    )
  })

  it.each([
    [{}, "Missing parameter 'path'; Missing parameter 'content'"],
    [{ path: 'x' }, "Missing parameter 'content'"],
    [{ path: 1, content: 'x' }, /^Error: Parameter 'path': .*expected string, received number/],
    [{ path: 'x', content: null }, /^Error: Parameter 'content': .*expected string/],
    [{ path: 'x', content: 'x', mode: 7 }, "Unknown parameter 'mode'"],
    ['x', /^Error: .*expected object/],
  ])('CA-04, CA-03: names what is wrong with %j', async (input, message) => {
    expect(await agent.fails('create_file', input)).toMatchObject({
      output: typeof message === 'string' ? `Error: ${message}` : expect.stringMatching(message),
      error: { code: 'invalid_parameters', suggestion: 'Parameters of create_file: path, content' },
    })
  })

  it.each(['', 'bad\0name', 'n'.repeat(256)])('CA-04: %j is no path', async path => {
    expect(await agent.fails('create_file', { path, content: 'x' })).toMatchObject({
      error: { code: 'invalid_parameters' },
    })
  })

  it('CA-18: an empty file', async () => {
    expect(await agent.call('create_file', { path: 'empty', content: '' })).toStrictEqual(
      success('Created file: empty (0 bytes)', ['empty']),
    )
    expect(agent.workspace.read('empty')).toBe('')
  })

  it('CA-18: special characters in names and content are kept byte for byte', async () => {
    const content = '\uFEFFžluťoučký 🐎\r\n\t"\\$ENV \u2028\0end'
    for (const path of ['with space.txt', 'žluť 🐎.txt', "quo'te.txt", '-dash.txt', '$HOME.txt', 'a:b*?.txt']) {
      expect(await agent.call('create_file', { path, content })).toStrictEqual(
        success(`Created file: ${path} (${Buffer.byteLength(content)} bytes)`, [path]),
      )
      expect(agent.workspace.read(path)).toBe(content)
    }
  })

  it('CA-18: Unix spellings mean one file; a Windows spelling is one name here and leads nowhere', async () => {
    // A directory that is not there has no parent to go back to.
    expect(await agent.fails('create_file', { path: './x//y/../z.txt', content: 'z' })).toMatchObject({
      error: { code: 'file_not_found' },
    })
    expect(await agent.call('create_file', { path: './src//z.txt', content: 'z' })).toMatchObject({ success: true })
    expect(agent.workspace.read('src/z.txt')).toBe('z')
    expect(await agent.call('create_file', { path: '..\\..\\evil.txt', content: 'z' })).toMatchObject({ success: true })
    expect(agent.workspace.read('..\\..\\evil.txt')).toBe('z')
    expect(existsSync(join(agent.workspace.base, 'evil.txt'))).toBe(false)
  })
})
