import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failure, OUTSIDE, success, useAgent } from './rig.ts'

const agent = useAgent({ 'src/app.py': '', 'src/utils.py': 'x', 'src/models/user.py': '', 'file.txt': '' })
const at = (path: string) => join(agent.workspace.path, path)
const counts = (total_entries: number, files: number, directories: number) => ({ total_entries, files, directories })

describe('list_dir', () => {
  it('CA-07, CA-02: lists a directory and answers as printed', async () => {
    expect(await agent.call('list_dir', { path: 'src' })).toStrictEqual(
      success('Contents of ./src:\n  app.py\n  utils.py\n  models/\n', [], counts(3, 2, 1)),
    )
  })

  it('CA-07: the default is the working directory', async () => {
    const whole = success('Contents of .:\n  file.txt\n  src/\n', [], counts(2, 1, 1))
    expect(await agent.call('list_dir', {})).toStrictEqual(whole)
    expect(await agent.call('list_dir', { path: '.' })).toStrictEqual(whole)
  })

  it('CA-07: a file is not a directory, in the printed words', async () => {
    expect(await agent.fails('list_dir', { path: 'file.txt' })).toStrictEqual(
      failure('not_a_directory', "Path 'file.txt' is not a directory", /read_file/),
    )
  })

  it('CA-07: a directory that is not there', async () => {
    expect(await agent.fails('list_dir', { path: 'missing' })).toStrictEqual(
      failure('file_not_found', "Directory 'missing' not found"),
    )
  })

  it.each(OUTSIDE)('CA-07: refuses %s, which is outside', async path => {
    expect(await agent.fails('list_dir', { path })).toStrictEqual(
      failure('path_outside_working_dir', `Path '${path}' is outside working directory`),
    )
  })

  it('CA-07: what may not be read, in the printed words', async () => {
    expect(await agent.fails('list_dir', {}, { permissions: [], permissionsOnly: true })).toStrictEqual(
      failure('permission_denied', 'Cannot list directory - permission denied', /fs:read/),
    )
  })

  it.each([
    [{ path: 7 }, /Parameter 'path'.*expected string, received number/],
    [{ path: null }, /Parameter 'path'.*expected string, received null/],
    [{ page: 0 }, /Parameter 'page': Too small/],
    [{ page: 'two' }, /Parameter 'page'.*expected number, received string/],
    [{ recursive: true }, /Unknown parameter 'recursive'/],
    [{ path: '' }, /path is empty/],
  ])('CA-07, CA-03: names what is wrong with %j', async (input, message) => {
    expect(await agent.fails('list_dir', input)).toMatchObject({
      output: expect.stringMatching(message),
      error: { code: 'invalid_parameters', suggestion: expect.stringMatching(/\w/) },
    })
  })

  it('CA-18: an empty directory', async () => {
    mkdirSync(at('empty'))
    expect(await agent.call('list_dir', { path: 'empty' })).toStrictEqual(
      success('Contents of ./empty:\n', [], counts(0, 0, 0)),
    )
  })

  it('CA-07: shows 1,000 entries, and the others on further pages', async () => {
    mkdirSync(at('many'))
    const names = Array.from({ length: 2500 }, (_, count) => `f${String(count).padStart(4, '0')}`)
    for (const name of names) writeFileSync(at(`many/${name}`), '')
    const page = (from: number, to: number, others = 'ask for another page') =>
      success(
        `Contents of ./many:\n${names
          .slice(from - 1, to)
          .map(name => `  ${name}\n`)
          .join('')}Warning: 2500 entries, showing ${from}-${to}; ${others}\n`,
        [],
        counts(2500, 2500, 0),
      )
    expect(await agent.call('list_dir', { path: 'many' })).toStrictEqual(page(1, 1000))
    expect(await agent.call('list_dir', { path: 'many', page: 2 })).toStrictEqual(page(1001, 2000))
    expect(await agent.call('list_dir', { path: 'many', page: 3 })).toStrictEqual(
      page(2001, 2500, 'this is the last page'),
    )
    expect(await agent.call('list_dir', { path: 'many', page: 4 })).toStrictEqual(
      success(
        'Contents of ./many:\nWarning: 2500 entries, and none on page 4; there are 3 pages\n',
        [],
        counts(2500, 2500, 0),
      ),
    )
  })

  it('CA-07: a page that is not there says so', async () => {
    expect(await agent.call('list_dir', { path: 'src', page: 2 })).toStrictEqual(
      success('Contents of ./src:\nWarning: 3 entries, and none on page 2; there is 1 page\n', [], counts(3, 2, 1)),
    )
  })

  it('CA-07: exactly 1,000 entries need no other page', async () => {
    mkdirSync(at('many'))
    for (let count = 0; count < 1000; count++) writeFileSync(at(`many/${count}`), '')
    const answer = Object(await agent.call('list_dir', { path: 'many' }))
    expect(answer.metadata).toEqual(counts(1000, 1000, 0))
    expect(answer.output).not.toContain('Warning')
  })

  it('CA-18: hidden files, links and odd names each stand on one line', async () => {
    mkdirSync(at('odd'))
    for (const name of ['.hidden', '-rf', 'with space', 'žluť 🐎', 'back\\slash', 'new\nline', 'esc\x1b[2J'])
      writeFileSync(at(`odd/${name}`), '')
    writeFileSync(Buffer.concat([Buffer.from(`${at('odd')}/bad`), Buffer.of(0xff)]), '')
    mkdirSync(at('odd/dir\nectory'))
    symlinkSync('/etc', at('odd/link-out'))
    const answer = Object(await agent.call('list_dir', { path: 'odd' }))
    expect(answer.output.split('\n').slice(1, -1)).toEqual([
      '  -rf',
      '  .hidden',
      '  back\\slash',
      '  "bad\\udcff"',
      '  "esc\\u001b[2J"',
      '  link-out',
      '  "new\\nline"',
      '  with space',
      '  žluť 🐎',
      '  "dir\\nectory/"',
    ])
    expect(answer.metadata).toEqual(counts(10, 9, 1))
  })

  it('CA-18: a name that is quoted can be read by what the quotes hold', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${at('src')}/bad`), Buffer.of(0xff)]), 'found\n')
    expect(await agent.call('read_file', { path: JSON.parse('"src/bad\\udcff"') })).toMatchObject({
      output: expect.stringContaining('found'),
    })
  })

  it('CA-18: Unix spellings name the same directory; a Windows spelling is a name that is not there', async () => {
    for (const path of ['src', './src', 'src/', 'src/models/..', `${agent.workspace.path}/src`])
      expect(await agent.call('list_dir', { path })).toMatchObject({ metadata: counts(3, 2, 1) })
    expect(await agent.fails('list_dir', { path: 'src\\models' })).toStrictEqual(
      failure('file_not_found', "Directory 'src\\models' not found"),
    )
  })
})
