import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSearch } from '../../../src/contracts/cli-agent/file-search.ts'
import { failure, OUTSIDE, success, useAgent } from './rig.ts'

const agent = useAgent({
  'cmd/main.go': '',
  'internal/agent.go': '',
  'internal/deep/er/tool.go': '',
  'top.go': '',
  'README.md': '',
  '.github/ci.yml': '',
})
const at = (path: string) => join(agent.workspace.path, path)
const found = (pattern: string, files: readonly string[]) =>
  success(
    `Found ${files.length} ${files.length === 1 ? 'file' : 'files'} matching '${pattern}':\n${files.map(file => `  ${file}\n`).join('')}`,
    [],
    { matches: files.length, pattern },
  )
const listed = (answer: unknown): string[] => Object(answer).output.split('\n').slice(1, -1)

describe('file_search', () => {
  it('CA-08, CA-02: finds files at any depth and answers as printed', async () => {
    expect(await agent.call('file_search', { pattern: '**/*.go' })).toStrictEqual(
      found('**/*.go', ['cmd/main.go', 'internal/agent.go', 'internal/deep/er/tool.go', 'top.go']),
    )
  })

  it('CA-08: a star stays within one name, and hidden files are files', async () => {
    expect(await agent.call('file_search', { pattern: '*.go' })).toStrictEqual(found('*.go', ['top.go']))
    expect(await agent.call('file_search', { pattern: 'internal/*' })).toStrictEqual(
      found('internal/*', ['internal/agent.go']),
    )
    expect(await agent.call('file_search', { pattern: '**/*.{yml,md}' })).toStrictEqual(
      found('**/*.{yml,md}', ['.github/ci.yml', 'README.md']),
    )
  })

  it('CA-08: the pattern counts from base_path; the paths can be read as they are', async () => {
    expect(await agent.call('file_search', { pattern: '*.go', base_path: 'internal' })).toStrictEqual(
      found('*.go', ['internal/agent.go']),
    )
    expect(await agent.call('file_search', { pattern: '**/*.go', base_path: './internal/' })).toStrictEqual(
      found('**/*.go', ['internal/agent.go', 'internal/deep/er/tool.go']),
    )
  })

  it('CA-18: nothing found is no error', async () => {
    expect(await agent.call('file_search', { pattern: '**/*.rs' })).toStrictEqual(found('**/*.rs', []))
    mkdirSync(at('empty'))
    expect(await agent.call('file_search', { pattern: '**', base_path: 'empty' })).toStrictEqual(found('**', []))
  })

  it('CA-08: an invalid glob, in the printed words', async () => {
    expect(await agent.fails('file_search', { pattern: '**/*[.go' })).toStrictEqual(
      failure('invalid_parameters', "Invalid glob pattern '**/*[.go'", /'\[' is not closed/),
    )
  })

  it.each(['{a,b', '{a}', 'a}', '../*.go', '/etc/*', 'a//b', '{a,b}'.repeat(20), 'x\0'])(
    'CA-08: %j is no glob that is taken',
    async pattern => {
      expect(await agent.fails('file_search', { pattern })).toStrictEqual(
        failure('invalid_parameters', `Invalid glob pattern '${pattern}'`),
      )
    },
  )

  it.each(OUTSIDE)('CA-08: refuses to search from %s, which is outside', async base_path => {
    expect(await agent.fails('file_search', { pattern: '*', base_path })).toStrictEqual(
      failure('path_outside_working_dir', `Path '${base_path}' is outside working directory`),
    )
  })

  it('CA-08: searches from directories only', async () => {
    expect(await agent.fails('file_search', { pattern: '*', base_path: 'missing' })).toStrictEqual(
      failure('file_not_found', "Directory 'missing' not found"),
    )
    expect(await agent.fails('file_search', { pattern: '*', base_path: 'missing/er' })).toStrictEqual(
      failure('file_not_found', "Directory 'missing/er' not found"),
    )
    expect(await agent.fails('file_search', { pattern: '*', base_path: 'top.go' })).toStrictEqual(
      failure('not_a_directory', "Path 'top.go' is not a directory"),
    )
  })

  it.each([
    [{}, /Missing parameter 'pattern'/],
    [{ pattern: '' }, /Parameter 'pattern': Too small/],
    [{ pattern: ['*'] }, /Parameter 'pattern'.*expected string, received array/],
    [{ pattern: '*', base_path: 3 }, /Parameter 'base_path'.*expected string, received number/],
    [{ pattern: '*', limit: 3 }, /Unknown parameter 'limit'/],
  ])('CA-08, CA-03: names what is wrong with %j', async (input, message) => {
    expect(await agent.fails('file_search', input)).toMatchObject({
      output: expect.stringMatching(message),
      error: { code: 'invalid_parameters', suggestion: 'Parameters of file_search: pattern, base_path?' },
    })
  })

  it('CA-08: shows the first 1,000 with the count found', async () => {
    mkdirSync(at('many'))
    for (let count = 0; count < 2000; count++) writeFileSync(at(`many/${String(count).padStart(4, '0')}.txt`), '')
    const answer = Object(await agent.call('file_search', { pattern: 'many/*.txt' }))
    expect(answer.output.split('\n').slice(0, 3)).toEqual([
      'Warning: Found 2000 matches, showing first 1000',
      "Found 2000 files matching 'many/*.txt':",
      '  many/0000.txt',
    ])
    expect(answer.output.split('\n').slice(-2)).toEqual(['  many/0999.txt', ''])
    expect(answer.metadata).toEqual({ matches: 2000, pattern: 'many/*.txt' })
  })

  it('CA-08: goes 20 levels deep', async () => {
    const nested = (levels: number) => Array.from({ length: levels }, () => 'd').join('/')
    agent.workspace.write(`${nested(19)}/twenty.txt`, '')
    agent.workspace.write(`${nested(20)}/too-deep.txt`, '')
    expect(await agent.call('file_search', { pattern: '**/*.txt' })).toStrictEqual(
      found('**/*.txt', [`${nested(19)}/twenty.txt`]),
    )
    expect(await agent.call('file_search', { pattern: '**/*.txt', base_path: 'd' })).toStrictEqual(
      found('**/*.txt', [`${nested(20)}/too-deep.txt`, `${nested(19)}/twenty.txt`]),
    )
  })

  it('CA-18: odd names each stand on one line', async () => {
    mkdirSync(at('odd'))
    for (const name of ['-rf', 'with space', 'žluť 🐎', 'back\\slash', 'new\nline', '[x]'])
      writeFileSync(at(`odd/${name}`), '')
    writeFileSync(Buffer.concat([Buffer.from(`${at('odd')}/bad`), Buffer.of(0xff)]), '')
    expect(listed(await agent.call('file_search', { pattern: 'odd/*' }))).toEqual([
      '  odd/-rf',
      '  odd/[x]',
      '  odd/back\\slash',
      '  "odd/bad\\udcff"',
      '  "odd/new\\nline"',
      '  odd/with space',
      '  odd/žluť 🐎',
    ])
    expect(await agent.call('file_search', { pattern: 'odd/\\[x\\]' })).toStrictEqual(found('odd/\\[x\\]', ['odd/[x]']))
  })

  it('CA-08: never leaves by a link, and leaves out what git ignores', async () => {
    symlinkSync('/etc', at('etc'))
    symlinkSync('..', at('up'))
    mkdirSync(at('.git'))
    agent.workspace.write('.git/config', '')
    agent.workspace.write('.gitignore', 'node_modules\n*.log\n')
    agent.workspace.write('node_modules/x/main.go', '')
    agent.workspace.write('debug.log', '')
    expect(listed(await agent.call('file_search', { pattern: '**' }))).toEqual(
      [
        '.github/ci.yml',
        '.gitignore',
        'README.md',
        'cmd/main.go',
        'internal/agent.go',
        'internal/deep/er/tool.go',
        'top.go',
      ].map(file => `  ${file}`),
    )
  })

  it('CA-18: a Windows spelling of the pattern or the base is no path here', async () => {
    expect(await agent.call('file_search', { pattern: 'internal\\*.go' })).toStrictEqual(found('internal\\*.go', []))
    expect(await agent.fails('file_search', { pattern: '*', base_path: 'internal\\deep' })).toStrictEqual(
      failure('file_not_found', "Directory 'internal\\deep' not found"),
    )
  })

  it('CA-08: what time allowed is given with a warning', async () => {
    const search = { find: async () => ({ files: ['a.go'], total: 1, timedOut: true }) }
    const answer = await fileSearch.run({ pattern: '*.go', base_path: '.' }, { search } as never, {
      timeoutMs: 30_000,
      signal: new AbortController().signal,
    })
    expect(answer.output).toBe(
      "Warning: Search timed out after 30s, returning partial results\nFound 1 file matching '*.go':\n  a.go\n",
    )
  })
})
