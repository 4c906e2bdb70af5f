import { chmodSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failure, OUTSIDE, success, useAgent } from './rig.ts'

const agent = useAgent({ 'hello.py': 'a\nb\nc\nd\nold_text\n', 'three.txt': '1\n2\n3\n4\nx\nx and\nx\n', 'dir/f': 'f' })
const replace = (path: string, old_string: string, new_string: string) => ({ path, old_string, new_string })
const counts = (occurrences_found: number, occurrences_replaced: number, lines_changed: number[]) => ({
  occurrences_found,
  occurrences_replaced,
  lines_changed,
})

describe('replace_string_in_file', () => {
  it('CA-06, CA-02: replaces the one occurrence and answers as printed', async () => {
    expect(await agent.call('replace_string_in_file', replace('hello.py', 'old_text', 'new'))).toStrictEqual(
      success('Replaced 1 occurrence in hello.py', ['hello.py'], counts(1, 1, [5])),
    )
    expect(agent.workspace.read('hello.py')).toBe('a\nb\nc\nd\nnew\n')
  })

  it('CA-06: of several only the first is replaced, and the warning gives count and line', async () => {
    expect(await agent.call('replace_string_in_file', replace('three.txt', 'x', 'y'))).toStrictEqual(
      success(
        'Replaced 1 occurrence in three.txt\nWarning: Found 3 occurrences, replaced only the first at line 5',
        ['three.txt'],
        counts(3, 1, [5]),
      ),
    )
    expect(agent.workspace.read('three.txt')).toBe('1\n2\n3\n4\ny\nx and\nx\n')
  })

  it('CA-06: a string that is not there, in the printed words', async () => {
    expect(await agent.fails('replace_string_in_file', replace('three.txt', 'old_text', 'y'))).toStrictEqual(
      failure('string_not_found', "String 'old_text' not found in file", /copy the string exactly/),
    )
  })

  it('CA-06: a missing file, and a directory', async () => {
    expect(await agent.fails('replace_string_in_file', replace('missing.txt', 'a', 'b'))).toStrictEqual(
      failure(
        'file_not_found',
        "File 'missing.txt' not found",
        /file_search/,
        "File 'missing.txt' not found in working directory",
      ),
    )
    expect(await agent.fails('replace_string_in_file', replace('dir', 'a', 'b'))).toStrictEqual(
      failure('not_a_file', "'dir' is a directory"),
    )
  })

  it.each(OUTSIDE)('CA-06: refuses %s, which is outside', async path => {
    expect(await agent.fails('replace_string_in_file', replace(path, 'a', 'b'))).toStrictEqual(
      failure('path_outside_working_dir', `Path '${path}' is outside working directory`),
    )
  })

  it('CA-06: the old string must not be empty', async () => {
    expect(await agent.fails('replace_string_in_file', replace('hello.py', '', 'b'))).toStrictEqual(
      failure('invalid_parameters', "Parameter 'old_string': old_string must not be empty"),
    )
  })

  it.each([
    [{}, /Missing parameter 'path'; Missing parameter 'old_string'; Missing parameter 'new_string'/],
    [{ path: 'hello.py', old_string: 'a' }, /Missing parameter 'new_string'/],
    [{ path: 'hello.py', old_string: 1, new_string: 'b' }, /Parameter 'old_string'.*expected string, received number/],
    [{ path: {}, old_string: 'a', new_string: 'b' }, /Parameter 'path'.*expected string, received object/],
    [{ path: 'hello.py', old_string: 'a', new_string: 'b', all: true }, /Unknown parameter 'all'/],
  ])('CA-06, CA-03: names what is wrong with %j', async (input, message) => {
    expect(await agent.fails('replace_string_in_file', input)).toMatchObject({
      output: expect.stringMatching(message),
      error: { code: 'invalid_parameters', suggestion: expect.stringMatching(/\w/) },
    })
  })

  it('CA-06: text over several lines, and text that is taken out', async () => {
    expect(await agent.call('replace_string_in_file', replace('hello.py', 'b\nc\nd\n', ''))).toStrictEqual(
      success('Replaced 1 occurrence in hello.py', ['hello.py'], counts(1, 1, [2])),
    )
    expect(agent.workspace.read('hello.py')).toBe('a\nold_text\n')
  })

  it.each([
    ['old_text', 'one\ntwo\nthree', [5, 6, 7]],
    ['b\nc', 'x', [2]],
    ['b\n', 'x\ny\n', [2, 3]],
    ['b\n', '', [2]],
    ['\nd', '', [3]],
    ['a\nb\nc\nd\n', '\n', [1]],
  ])('CA-06: of %j replaced by %j the changed lines are %j', async (old, now, lines) => {
    expect(await agent.call('replace_string_in_file', replace('hello.py', old, now))).toStrictEqual(
      success('Replaced 1 occurrence in hello.py', ['hello.py'], counts(1, 1, lines)),
    )
    expect(agent.workspace.read('hello.py')).toBe('a\nb\nc\nd\nold_text\n'.replace(old, now))
  })

  it('CA-06: equal strings are a success with a warning that changes nothing', async () => {
    const before = agent.workspace.snapshot()
    const warning = 'Warning: The old and the new string are the same, nothing was changed'
    expect(await agent.call('replace_string_in_file', replace('hello.py', 'b', 'b'))).toStrictEqual(
      success(`Replaced 0 occurrences in hello.py\n${warning}`, [], counts(1, 0, [])),
    )
    expect(await agent.call('replace_string_in_file', replace('three.txt', 'x', 'x'))).toMatchObject({
      metadata: counts(3, 0, []),
    })
    expect(agent.workspace.snapshot()).toEqual(before)
    for (const input of [replace('hello.py', 'zz', 'zz'), replace('missing.txt', 'a', 'a'), replace('..', 'a', 'a')])
      expect(await agent.fails('replace_string_in_file', input)).toMatchObject({ success: false })
  })

  it('CA-06: line ends are kept, whichever the strings have', async () => {
    agent.workspace.write('win.txt', 'one\r\ntwo\r\nthree\r\n')
    expect(await agent.call('replace_string_in_file', replace('win.txt', 'one\ntwo', '1\n2\n2.5'))).toMatchObject({
      metadata: counts(1, 1, [1, 2, 3]),
    })
    expect(agent.workspace.read('win.txt')).toBe('1\r\n2\r\n2.5\r\nthree\r\n')
    // The same but for its line ends, which stay those of the file.
    expect(await agent.call('replace_string_in_file', replace('win.txt', '1\n2', '1\r\n2'))).toMatchObject({
      files_affected: [],
      metadata: counts(1, 0, []),
    })
    expect(agent.workspace.read('win.txt')).toBe('1\r\n2\r\n2.5\r\nthree\r\n')
  })

  it('CA-18: an empty file holds no string', async () => {
    agent.workspace.write('empty', '')
    expect(await agent.fails('replace_string_in_file', replace('empty', 'a', 'b'))).toMatchObject({
      output: "Error: String 'a' not found in file",
    })
  })

  it('CA-18: what was not replaced survives byte for byte: CRLF, mark, mode, foreign bytes', async () => {
    agent.workspace.write('win.txt', Buffer.from('\uFEFFone\r\ntwo\r\nthree'))
    chmodSync(join(agent.workspace.path, 'win.txt'), 0o755)
    await agent.call('replace_string_in_file', replace('win.txt', 'two', '2'))
    expect(agent.workspace.read('win.txt')).toBe('\uFEFFone\r\n2\r\nthree')
    expect(statSync(join(agent.workspace.path, 'win.txt')).mode & 0o777).toBe(0o755)
    agent.workspace.write('latin.txt', Buffer.from('caf\xe9 old\n', 'latin1'))
    expect(await agent.call('replace_string_in_file', replace('latin.txt', 'old', 'new'))).toMatchObject({
      success: true,
    })
    const { readFileSync } = await import('node:fs')
    expect(readFileSync(join(agent.workspace.path, 'latin.txt'))).toEqual(Buffer.from('caf\xe9 new\n', 'latin1'))
  })

  it('CA-18: special characters are characters, in the old string and in the new', async () => {
    agent.workspace.write('odd.txt', 'a.*b $1 🐎\u2028 end\n')
    await agent.call('replace_string_in_file', replace('odd.txt', '.*b $1 🐎\u2028', "$& $1 \\n '$`'"))
    expect(agent.workspace.read('odd.txt')).toBe("a$& $1 \\n '$`' end\n")
  })

  it('CA-18: a binary file is refused and stays as it is', async () => {
    agent.workspace.write('data.bin', Buffer.from([0, 1, 2, 97, 0, 255]))
    expect(await agent.fails('replace_string_in_file', replace('data.bin', 'a', 'b'))).toMatchObject({
      error: { code: 'binary_file', suggestion: expect.stringMatching(/\w/) },
    })
  })

  it('CA-18: a large file', async () => {
    agent.workspace.write('big.txt', `${'x'.repeat(99)}\n`.repeat(110_000) + 'needle\n')
    expect(await agent.call('replace_string_in_file', replace('big.txt', 'needle', 'pin'))).toStrictEqual(
      success('Replaced 1 occurrence in big.txt', ['big.txt'], counts(1, 1, [110_001])),
    )
    expect(agent.workspace.read('big.txt').slice(-5)).toBe('\npin\n')
  })

  it('CA-06: a link inside is followed, one out is not', async () => {
    symlinkSync('hello.py', join(agent.workspace.path, 'inside'))
    symlinkSync('../state', join(agent.workspace.path, 'out'))
    expect(await agent.call('replace_string_in_file', replace('inside', 'old_text', 'new'))).toMatchObject({
      success: true,
      files_affected: ['hello.py'],
    })
    expect(await agent.fails('replace_string_in_file', replace('out/x', 'a', 'b'))).toMatchObject({
      error: { code: 'path_outside_working_dir' },
    })
  })

  it('CA-18: Unix spellings mean one file; a Windows spelling is a name that is not there', async () => {
    expect(await agent.call('replace_string_in_file', replace('./dir/../hello.py', 'old_text', 'n'))).toMatchObject({
      success: true,
      files_affected: ['hello.py'],
    })
    expect(await agent.fails('replace_string_in_file', replace('dir\\f', 'f', 'g'))).toMatchObject({
      output: "Error: File 'dir\\f' not found",
    })
  })

  it('CA-06: a user without write permission cannot change it', async () => {
    const options = { permissions: ['fs:read'], permissionsOnly: true }
    expect(await agent.fails('replace_string_in_file', replace('hello.py', 'a', 'b'), options)).toMatchObject({
      error: { code: 'permission_denied', suggestion: expect.stringContaining('fs:write') },
    })
  })
})
