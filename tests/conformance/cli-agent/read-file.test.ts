import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failure, OUTSIDE, success, useAgent } from './rig.ts'

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('')
const agent = useAgent({ 'hello.py': lines(1, 50), 'twenty.txt': lines(1, 20), 'src/a.txt': 'a\n' })
const counts = (total_lines: number, lines_returned: number, file_size_bytes: number) => ({
  total_lines,
  lines_returned,
  file_size_bytes,
})
const MB = 1024 * 1024

describe('read_file', () => {
  it('CA-05, CA-02: reads a range and answers as printed', async () => {
    const answer = await agent.call('read_file', { path: 'hello.py', start_line: 1, end_line: 10 })
    const size = Buffer.byteLength(lines(1, 50))
    expect(answer).toStrictEqual(
      success(`Contents of hello.py (lines 1-10):\n${lines(1, 10)}`, [], counts(50, 10, size)),
    )
  })

  it('CA-05: reads the whole file without a range, and to its end or from its beginning with half of one', async () => {
    const size = Buffer.byteLength(lines(1, 20))
    const whole = success(`Contents of twenty.txt (lines 1-20):\n${lines(1, 20)}`, [], counts(20, 20, size))
    expect(await agent.call('read_file', { path: 'twenty.txt' })).toStrictEqual(whole)
    expect(await agent.call('read_file', { path: 'twenty.txt', start_line: 19 })).toStrictEqual(
      success(`Contents of twenty.txt (lines 19-20):\n${lines(19, 20)}`, [], counts(20, 2, size)),
    )
    expect(await agent.call('read_file', { path: 'twenty.txt', end_line: 2 })).toStrictEqual(
      success(`Contents of twenty.txt (lines 1-2):\n${lines(1, 2)}`, [], counts(20, 2, size)),
    )
  })

  it('CA-05: both ends are part of the range, and an end past the last line means the last line', async () => {
    const size = Buffer.byteLength(lines(1, 20))
    expect(await agent.call('read_file', { path: 'twenty.txt', start_line: 7, end_line: 7 })).toStrictEqual(
      success('Contents of twenty.txt (lines 7-7):\nline 7\n', [], counts(20, 1, size)),
    )
    expect(await agent.call('read_file', { path: 'twenty.txt', start_line: 20, end_line: 99 })).toStrictEqual(
      success('Contents of twenty.txt (lines 20-20):\nline 20\n', [], counts(20, 1, size)),
    )
  })

  it("CA-05: a range that the file does not have names the file's line count", async () => {
    expect(await agent.fails('read_file', { path: 'twenty.txt', start_line: 30, end_line: 40 })).toStrictEqual(
      failure('line_range_invalid', 'Line range invalid - file has 20 lines, requested 30-40'),
    )
  })

  it('CA-05, CA-03: a missing file, with the error object of the document', async () => {
    expect(await agent.fails('read_file', { path: 'missing.txt' })).toStrictEqual(
      failure(
        'file_not_found',
        "File 'missing.txt' not found",
        'Check the file name and try again, or use file_search to find it',
        "File 'missing.txt' not found in working directory",
      ),
    )
  })

  it.each(OUTSIDE)('CA-05: refuses %s, which is outside', async path => {
    expect(await agent.fails('read_file', { path })).toStrictEqual(
      failure('path_outside_working_dir', `Path '${path}' is outside working directory`),
    )
  })

  it('CA-05: follows a link inside, and none out', async () => {
    symlinkSync('src/a.txt', join(agent.workspace.path, 'inside'))
    symlinkSync('/etc/hostname', join(agent.workspace.path, 'out'))
    expect(await agent.call('read_file', { path: 'inside' })).toMatchObject({
      output: 'Contents of inside (lines 1-1):\na\n',
    })
    expect(await agent.fails('read_file', { path: 'out' })).toMatchObject({
      error: { code: 'path_outside_working_dir' },
    })
  })

  it('CA-05: a directory is no file', async () => {
    expect(await agent.fails('read_file', { path: 'src' })).toStrictEqual(failure('not_a_file', "'src' is a directory"))
  })

  it.each([
    [{}, /Missing parameter 'path'/],
    [{ path: ['x'] }, /Parameter 'path'.*expected string, received array/],
    [{ path: 'hello.py', start_line: 0 }, /Parameter 'start_line': Too small/],
    [{ path: 'hello.py', start_line: -1 }, /Parameter 'start_line': Too small/],
    [{ path: 'hello.py', start_line: 1.5 }, /Parameter 'start_line'.*expected int/],
    [{ path: 'hello.py', start_line: '1' }, /Parameter 'start_line'.*expected number, received string/],
    [{ path: 'hello.py', start_line: 9, end_line: 8 }, /Parameter 'end_line': end_line must not be before start_line/],
    [{ path: 'hello.py', lines: 3 }, /Unknown parameter 'lines'/],
  ])('CA-05, CA-03: names what is wrong with %j', async (input, message) => {
    expect(await agent.fails('read_file', input)).toMatchObject({
      output: expect.stringMatching(message),
      error: {
        code: 'invalid_parameters',
        message: expect.stringMatching(message),
        suggestion: 'Parameters of read_file: path, start_line?, end_line?',
      },
    })
  })

  it('CA-18: an empty file has no lines', async () => {
    agent.workspace.write('empty', '')
    expect(await agent.call('read_file', { path: 'empty' })).toStrictEqual(
      success('Contents of empty (lines 0-0):\n', [], counts(0, 0, 0)),
    )
    expect(await agent.fails('read_file', { path: 'empty', start_line: 2 })).toMatchObject({
      output: 'Error: Line range invalid - file has 0 lines, requested 2-end',
    })
  })

  it('CA-05: more than 10 MB are cut with a warning, never inside a character', async () => {
    agent.workspace.write('big.txt', `x${'é'.repeat(5 * MB)}\nend\n`)
    const answer = await agent.call('read_file', { path: 'big.txt' })
    expect(answer).toStrictEqual(
      success(
        `Warning: File is larger than 10MB, content is truncated\nContents of big.txt (lines 1-1):\nx${'é'.repeat(5 * MB - 1)}`,
        [],
        counts(2, 1, 10 * MB + 6),
      ),
    )
    expect(await agent.call('read_file', { path: 'big.txt', start_line: 2 })).toMatchObject({
      output: 'Contents of big.txt (lines 2-2):\nend\n',
    })
  })

  it('CA-05: a binary file shows its first 1 KB as hex, with the warning', async () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, at) => at % 256))
    agent.workspace.write('data.bin', bytes)
    const rows = Array.from({ length: 64 }, (_, at) => bytes.subarray(at * 16, at * 16 + 16).toString('hex'))
    const hex = rows.map(row => `${(row.match(/../g) ?? []).join(' ')}\n`).join('')
    expect(await agent.call('read_file', { path: 'data.bin' })).toStrictEqual(
      success(
        `Warning: File appears to be binary, displaying first 1KB as hex\n${hex}`,
        [],
        counts(0, 0, bytes.length),
      ),
    )
  })

  it('CA-05: text in Latin-1 is text: it is read, found and edited, and keeps its bytes', async () => {
    const bytes = Buffer.from('caf\xe9 \x93one\x94\r\n\xdcber\n', 'latin1')
    agent.workspace.write('latin.txt', bytes)
    expect(await agent.call('read_file', { path: 'latin.txt' })).toStrictEqual(
      success(`Contents of latin.txt (lines 1-2):\n${bytes.toString('latin1')}`, [], counts(2, 2, bytes.length)),
    )
    expect(await agent.call('read_file', { path: 'latin.txt', start_line: 2 })).toMatchObject({
      output: 'Contents of latin.txt (lines 2-2):\n\xdcber\n',
    })
    expect(await agent.call('grep_search', { pattern: 'one' })).toMatchObject({
      output: expect.stringContaining('latin.txt:1: '),
    })
    const edit = { path: 'latin.txt', old_string: '\xdcber', new_string: '\xdcbung' }
    expect(await agent.call('replace_string_in_file', edit)).toMatchObject({ success: true })
    expect(await agent.call('read_file', { path: 'latin.txt' })).toMatchObject({
      output: expect.stringContaining('\xdcbung\n'),
    })
  })

  it('CA-05: bytes with control characters that no text holds are data, also without a NUL', async () => {
    agent.workspace.write('data.bin', Buffer.from([0x66, 0xe9, 0x01, 0x0a]))
    expect(await agent.call('read_file', { path: 'data.bin' })).toStrictEqual(
      success('Warning: File appears to be binary, displaying first 1KB as hex\n66 e9 01 0a\n', [], counts(0, 0, 4)),
    )
  })

  it('CA-18: CRLF, a mark and special characters are shown as they are', async () => {
    agent.workspace.write('odd.txt', '\uFEFFone\r\ntwo 🐎\u2028\t\x07\r\nno end')
    expect(await agent.call('read_file', { path: 'odd.txt' })).toStrictEqual(
      success('Contents of odd.txt (lines 1-3):\none\r\ntwo 🐎\u2028\t\x07\r\nno end', [], counts(3, 3, 29)),
    )
  })

  it('CA-18: every Unix spelling reads the same file; a Windows spelling is a name that is not there', async () => {
    for (const path of [
      'src/a.txt',
      './src/a.txt',
      'src//a.txt',
      'src/../src/a.txt',
      `${agent.workspace.path}/src/a.txt`,
    ])
      expect(await agent.call('read_file', { path })).toMatchObject({ output: `Contents of ${path} (lines 1-1):\na\n` })
    for (const path of ['src\\a.txt', '.\\src\\a.txt', 'C:\\src\\a.txt'])
      expect(await agent.fails('read_file', { path })).toMatchObject({
        output: `Error: File '${path}' not found`,
        error: { code: 'file_not_found' },
      })
  })

  it('CA-05: names with line breaks and a leading dash are names like others', async () => {
    for (const path of ['new\nline.txt', '-rf']) {
      agent.workspace.write(path, 'x\n')
      expect(await agent.call('read_file', { path })).toMatchObject({ success: true, files_affected: [] })
    }
  })
})
