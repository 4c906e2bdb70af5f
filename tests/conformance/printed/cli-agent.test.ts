// oxlint-disable vitest/no-standalone-expect -- what `needs` gives is an `it`, which the rule does not see
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cliAgent } from '../../../src/contracts/cli-agent/contract.ts'
import { grepSearch } from '../../../src/contracts/cli-agent/grep-search.ts'
import type { StoredApproval } from '../../../src/machine/state/approvals.ts'
import { fakePerson } from '../../../src/testing/fakes.ts'
import { fakePages, fakeWeb } from '../../../src/testing/fake-web.ts'
import { useCli } from '../../cli/rig.ts'
import { needs } from '../../needs.ts'
import { TIME } from '../cli-agent/rig.ts'
import { described, fieldsOf, parametersOf, sharedWorkspace } from './cli-agent-rig.ts'
import { once } from './once.ts'

const MB = 1024 * 1024
const CATALOG = [
  'create_file',
  'read_file',
  'replace_string_in_file',
  'list_dir',
  'file_search',
  'grep_search',
  'run_in_terminal',
  'terminal_last_command',
  'create_directory',
  'fetch_webpage',
]
const needsSandbox = needs('bubblewrap')

describe('Overview', () => {
  it('printed: there are 10 built-in tools', () => expect(cliAgent.tools).toHaveLength(10))
})

describe('Universal Tool Interface', () => {
  const here = sharedWorkspace({ 'a.txt': 'a\n' })

  it('printed: Name is a unique identifier', () => {
    expect(new Set(cliAgent.tools.map(({ name }) => name)).size).toBe(10)
  })

  it.each(CATALOG)('printed: Description of %s says what it does', name => {
    expect(described(name).description).toMatch(/^[A-Z]\w+ \w+/)
  })

  it.each(CATALOG)('printed: ParametersSchema of %s is JSON Schema', name => {
    expect(described(name).input).toMatchObject({ type: 'object', properties: expect.any(Object) })
  })

  it('printed: Validate judges parameters before anything is executed', async () => {
    const person = fakePerson('yes')
    const before = here.workspace.snapshot()
    const answer = await here.call('create_file', { path: 7, content: 'x' }, { permissions: [], approve: person })
    expect(answer.error.code).toBe('invalid_parameters')
    expect([person.asked, here.workspace.snapshot()]).toEqual([[], before])
  })

  it('printed: Execute gives a ToolResult', async () => {
    expect(Object.keys(await here.call('read_file', { path: 'a.txt' }))).toEqual([
      'success',
      'output',
      'files_affected',
      'execution_time_ms',
      'metadata',
    ])
  })

  it.each(CATALOG)('printed: RequiresApproval of %s is true unless it only reads', name => {
    expect(described(name).requiresApproval).toBe(described(name).risk !== 'read_only')
  })

  it.each(CATALOG)('printed: RiskLevel of %s is one of three', name => {
    expect(['read_only', 'safe_write', 'dangerous']).toContain(described(name).risk)
  })
})

describe('Tool Catalog', () => {
  it('printed: the tools in this order', () => expect(cliAgent.tools.map(({ name }) => name)).toEqual(CATALOG))

  describe('1. create_file', () => {
    const here = sharedWorkspace({ 'test.txt': 'old\n' })
    const tool = 'create_file'
    const PARAMETERS = {
      path: { type: 'string', description: 'Relative path to the file to create', required: true },
      content: { type: 'string', description: 'Content to write to the file', required: true },
    }

    it('printed: purpose', () => expect(described(tool).description).toBe('Create a new file with specified content'))

    it('printed: parameters', () => expect(Object.keys(parametersOf(tool))).toEqual(Object.keys(PARAMETERS)))

    it.each(fieldsOf(PARAMETERS))('printed: parameter %s: %s is %j', (name, key, value) => {
      expect(parametersOf(tool)[name]?.[key]).toBe(value)
    })

    it('printed: path is within the working directory', async () => {
      expect(await here.code(tool, { path: '/etc/new', content: '' })).toBe('path_outside_working_dir')
    })

    it('printed: path must not exist, and stays as it was', async () => {
      expect(await here.code(tool, { path: 'test.txt', content: 'new' })).toBe('file_exists')
      expect(here.workspace.read('test.txt')).toBe('old\n')
    })

    it('printed: directories are created as needed', async () => {
      await here.call(tool, { path: 'a/b/c.txt', content: 'deep' })
      expect(here.workspace.read('a/b/c.txt')).toBe('deep')
    })

    it('printed: content of 10MB is the most', async () => {
      expect(await here.call(tool, { path: 'full.txt', content: 'x'.repeat(10 * MB) })).toMatchObject({ success: true })
      const more = await here.call(tool, { path: 'more.txt', content: 'x'.repeat(10 * MB + 1) })
      expect(more).toMatchObject({ success: false, output: expect.stringContaining('10MB') })
    })

    const created = once(() => here.call(tool, { path: 'hello.py', content: 'x'.repeat(125) }))
    it.each([
      ['success', true],
      ['output', 'Created file: hello.py (125 bytes)'],
      ['files_affected', ['hello.py']],
      ['execution_time_ms', TIME],
    ])('printed: success response: %s is %j', async (field, value) => {
      expect(Reflect.get(await created(), field)).toEqual(value)
    })

    it('printed: the success response has no other field', async () => {
      expect(Object.keys(await created())).toEqual(['success', 'output', 'files_affected', 'execution_time_ms'])
    })

    it('printed: Path outside working directory', async () => {
      expect(await here.output(tool, { path: '../etc/passwd', content: '' })).toBe(
        "Error: Path '../etc/passwd' is outside working directory",
      )
    })

    it('printed: File already exists', async () => {
      expect(await here.output(tool, { path: 'test.txt', content: '' })).toBe(
        "Error: File 'test.txt' already exists. Use replace_string_in_file to modify",
      )
    })

    it('printed: Permission denied', async () => {
      const refused = { permissions: ['fs:read'], permissionsOnly: true }
      expect(await here.output(tool, { path: 'protected.txt', content: '' }, refused)).toBe(
        "Error: Cannot create file 'protected.txt' - permission denied",
      )
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('safe_write'))
  })

  describe('2. read_file', () => {
    const here = sharedWorkspace({
      'hello.py': `${'x'.repeat(24)}\n`.repeat(50),
      'twenty.txt': 'line\n'.repeat(20),
      'data.bin': Buffer.alloc(3000, 'ab\0'),
      'huge.txt': `${'x'.repeat(1023)}\n`.repeat(10 * 1024 + 1),
      'dir/a.txt': '',
    })
    const tool = 'read_file'
    const PARAMETERS = {
      path: { type: 'string', description: 'Relative path to the file to read', required: true },
      start_line: { type: 'integer', description: 'Starting line number (1-indexed, optional)', required: false },
      end_line: {
        type: 'integer',
        description: 'Ending line number (1-indexed, inclusive, optional)',
        required: false,
      },
    }

    it('printed: purpose', () => {
      expect(described(tool).description).toBe('Read the contents of a file, optionally specifying line range')
    })

    it('printed: parameters', () => expect(Object.keys(parametersOf(tool))).toEqual(Object.keys(PARAMETERS)))

    it.each(fieldsOf(PARAMETERS))('printed: parameter %s: %s is %j', (name, key, value) => {
      expect(parametersOf(tool)[name]?.[key]).toBe(value)
    })

    it('printed: path is within the working directory', async () => {
      expect(await here.output(tool, { path: '../x' })).toBe("Error: Path '../x' is outside working directory")
    })

    it('printed: path is a regular file', async () => {
      expect(await here.code(tool, { path: 'dir' })).toBe('not_a_file')
    })

    it.each([0, -1])('printed: start_line is positive, and not %i', async start_line => {
      expect(await here.code(tool, { path: 'hello.py', start_line })).toBe('invalid_parameters')
    })

    it('printed: end_line is not before start_line', async () => {
      expect(await here.code(tool, { path: 'hello.py', start_line: 5, end_line: 4 })).toBe('invalid_parameters')
      expect(await here.call(tool, { path: 'hello.py', start_line: 5, end_line: 5 })).toMatchObject({ success: true })
    })

    it('printed: a file over 10MB is truncated with a warning', async () => {
      const { success, output } = await here.call(tool, { path: 'huge.txt' })
      expect([success, output.split('\n', 1)[0]]).toEqual([true, expect.stringMatching(/^Warning: .*10MB.*truncated$/)])
      expect(output.match(/^x{1023}$/gm)).toHaveLength(10 * 1024)
    })

    const read = once(() => here.call(tool, { path: 'hello.py', start_line: 1, end_line: 10 }))
    it.each([
      ['success', true],
      ['output', `Contents of hello.py (lines 1-10):\n${`${'x'.repeat(24)}\n`.repeat(10)}`],
      ['files_affected', []],
      ['execution_time_ms', TIME],
    ])('printed: success response: %s is %j', async (field, value) => {
      expect(Reflect.get(await read(), field)).toEqual(value)
    })

    it.each([
      ['total_lines', 50],
      ['lines_returned', 10],
      ['file_size_bytes', 1250],
    ])('printed: success response: metadata %s is %i', async (field, value) => {
      expect((await read()).metadata[field]).toBe(value)
    })

    it('printed: File not found', async () => {
      expect(await here.output(tool, { path: 'missing.txt' })).toBe("Error: File 'missing.txt' not found")
    })

    it('printed: Line range invalid', async () => {
      expect(await here.output(tool, { path: 'twenty.txt', start_line: 30, end_line: 40 })).toBe(
        'Error: Line range invalid - file has 20 lines, requested 30-40',
      )
    })

    it('printed: Binary file, of which 1KB is shown as hex', async () => {
      const hex = `${'61 62 00 '.repeat(342).slice(0, 3 * 1024 - 1)} `.match(/.{48}/g)?.map(row => `${row.trim()}\n`)
      expect(await here.output(tool, { path: 'data.bin' })).toBe(
        `Warning: File appears to be binary, displaying first 1KB as hex\n${hex?.join('')}`,
      )
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('read_only'))
  })

  describe('3. replace_string_in_file', () => {
    const here = sharedWorkspace({
      'hello.py': 'a\nb\nc\nd\nold_text\n',
      'plain.py': 'a\n',
      'three.py': 'a\nb\nc\nd\nold_text\nold_text\nold_text\n',
    })
    const tool = 'replace_string_in_file'
    const PARAMETERS = {
      path: { type: 'string', description: 'Relative path to the file to modify', required: true },
      old_string: { type: 'string', description: 'Exact string to find and replace', required: true },
      new_string: { type: 'string', description: 'String to replace with', required: true },
    }
    const change = (path: string, old_string: string) => here.call(tool, { path, old_string, new_string: 'new' })

    it('printed: purpose', () => {
      expect(described(tool).description).toBe('Replace a specific string in a file with new content')
    })

    it('printed: parameters', () => expect(Object.keys(parametersOf(tool))).toEqual(Object.keys(PARAMETERS)))

    it.each(fieldsOf(PARAMETERS))('printed: parameter %s: %s is %j', (name, key, value) => {
      expect(parametersOf(tool)[name]?.[key]).toBe(value)
    })

    it('printed: path is within the working directory', async () => {
      expect((await change('../x', 'a')).output).toBe("Error: Path '../x' is outside working directory")
    })

    it('printed: path must exist', async () => {
      expect((await change('none.py', 'a')).output).toBe("Error: File 'none.py' not found")
    })

    it('printed: old_string must not be empty', async () => {
      expect((await change('three.py', '')).error.code).toBe('invalid_parameters')
    })

    const replaced = once(() => change('hello.py', 'old_text'))
    it.each([
      ['success', true],
      ['output', 'Replaced 1 occurrence in hello.py'],
      ['files_affected', ['hello.py']],
      ['execution_time_ms', TIME],
    ])('printed: success response: %s is %j', async (field, value) => {
      expect(Reflect.get(await replaced(), field)).toEqual(value)
    })

    it.each([
      ['occurrences_found', 1],
      ['occurrences_replaced', 1],
      ['lines_changed', [5]],
    ])('printed: success response: metadata %s is %j', async (field, value) => {
      expect((await replaced()).metadata[field]).toEqual(value)
    })

    it('printed: String not found', async () => {
      expect((await change('plain.py', 'old_text')).output).toBe("Error: String 'old_text' not found in file")
    })

    const first = once(() => change('three.py', 'old_text'))
    it('printed: Multiple matches', async () => {
      expect((await first()).output).toMatch(/^Warning: Found 3 occurrences, replaced only the first at line 5$/m)
    })

    it('printed: of multiple matches only the first is replaced', async () => {
      await first()
      expect(here.workspace.read('three.py')).toBe('a\nb\nc\nd\nnew\nold_text\nold_text\n')
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('dangerous'))
  })

  describe('4. list_dir', () => {
    const here = sharedWorkspace({
      'src/app.py': '',
      'src/utils.py': '',
      'src/models/user.py': '',
      'file.txt': '',
      ...Object.fromEntries(
        Array.from({ length: 1001 }, (_, count) => [`many/f${String(count).padStart(4, '0')}`, '']),
      ),
    })
    const tool = 'list_dir'
    const PARAMETERS = {
      path: {
        type: 'string',
        description: 'Relative path to directory (default: current directory)',
        required: false,
        default: '.',
      },
    }

    it('printed: purpose', () => expect(described(tool).description).toBe('List contents of a directory'))

    it('printed: parameters, and page for the entries past the limit', () => {
      expect(Object.keys(parametersOf(tool))).toEqual([...Object.keys(PARAMETERS), 'page'])
    })

    it.each(fieldsOf(PARAMETERS))('printed: parameter %s: %s is %j', (name, key, value) => {
      expect(parametersOf(tool)[name]?.[key]).toBe(value)
    })

    it('printed: without a path it lists the current directory', async () => {
      expect(await here.output(tool, {})).toBe('Contents of .:\n  file.txt\n  many/\n  src/\n')
    })

    it('printed: path is within the working directory', async () => {
      expect(await here.output(tool, { path: '..' })).toBe("Error: Path '..' is outside working directory")
    })

    it('printed: path must exist', async () => {
      expect(await here.code(tool, { path: 'none' })).toBe('file_not_found')
    })

    it('printed: 1000 entries are the most', async () => {
      expect((await here.output(tool, { path: 'many' })).match(/^ {2}f\d{4}$/gm)).toHaveLength(1000)
    })

    it('printed: more are paginated', async () => {
      expect((await here.output(tool, { path: 'many', page: 2 })).match(/^ {2}f\d{4}$/gm)).toEqual(['  f1000'])
    })

    const listed = once(() => here.call(tool, { path: 'src' }))
    it.each([
      ['success', true],
      ['output', 'Contents of ./src:\n  app.py\n  utils.py\n  models/\n'],
      ['files_affected', []],
      ['execution_time_ms', TIME],
    ])('printed: success response: %s is %j', async (field, value) => {
      expect(Reflect.get(await listed(), field)).toEqual(value)
    })

    it.each([
      ['total_entries', 3],
      ['files', 2],
      ['directories', 1],
    ])('printed: success response: metadata %s is %i', async (field, value) => {
      expect((await listed()).metadata[field]).toBe(value)
    })

    it('printed: Not a directory', async () => {
      expect(await here.output(tool, { path: 'file.txt' })).toBe("Error: Path 'file.txt' is not a directory")
    })

    it('printed: Permission denied', async () => {
      expect(await here.output(tool, {}, { permissions: [], permissionsOnly: true })).toBe(
        'Error: Cannot list directory - permission denied',
      )
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('read_only'))
  })

  describe('5. file_search', () => {
    const deep = (levels: number) => `${Array.from({ length: levels }, () => 'd').join('/')}/deep.rs`
    const here = sharedWorkspace({
      ...Object.fromEntries(
        ['cmd/main', 'internal/agent', 'internal/tool', 'pkg/a', 'pkg/b'].map(f => [`${f}.go`, '']),
      ),
      ...Object.fromEntries(Array.from({ length: 2000 }, (_, count) => [`many/f${count}.txt`, ''])),
      [deep(19)]: '',
      [deep(25)]: '',
    })
    const tool = 'file_search'
    const PARAMETERS = {
      pattern: { type: 'string', description: "Glob pattern (e.g., '**/*.py', 'src/**/*.go')", required: true },
      base_path: {
        type: 'string',
        description: 'Base directory to search from (default: current directory)',
        required: false,
        default: '.',
      },
    }

    it('printed: purpose', () => expect(described(tool).description).toBe('Search for files matching a glob pattern'))

    it('printed: parameters', () => expect(Object.keys(parametersOf(tool))).toEqual(Object.keys(PARAMETERS)))

    it.each(fieldsOf(PARAMETERS))('printed: parameter %s: %s is %j', (name, key, value) => {
      expect(parametersOf(tool)[name]?.[key]).toBe(value)
    })

    it('printed: base_path is within the working directory', async () => {
      expect(await here.output(tool, { pattern: '*', base_path: '../x' })).toBe(
        "Error: Path '../x' is outside working directory",
      )
    })

    it('printed: 20 levels are the deepest', async () => {
      expect(await here.output(tool, { pattern: '**/*.rs' })).toBe(`Found 1 file matching '**/*.rs':\n  ${deep(19)}\n`)
    })

    const found = once(() => here.call(tool, { pattern: '**/*.go' }))
    it.each([
      ['success', true],
      [
        'output',
        expect.stringMatching(/^Found 5 files matching '\*\*\/\*\.go':\n {2}cmd\/main\.go\n {2}internal\/agent\.go\n/),
      ],
      ['files_affected', []],
      ['execution_time_ms', TIME],
    ])('printed: success response: %s', async (field, value) => {
      expect(Reflect.get(await found(), field)).toEqual(value)
    })

    it.each([
      ['matches', 5],
      ['pattern', '**/*.go'],
    ])('printed: success response: metadata %s is %j', async (field, value) => {
      expect((await found()).metadata[field]).toBe(value)
    })

    it('printed: Invalid pattern', async () => {
      expect(await here.output(tool, { pattern: '**/*[.go' })).toBe("Error: Invalid glob pattern '**/*[.go'")
    })

    const many = once(() => here.output(tool, { pattern: '**/*.txt' }))
    it('printed: Too many results', async () => {
      expect(await many()).toMatch(/^Warning: Found 2000 matches, showing first 1000$/m)
    })

    it('printed: 1000 files are the most', async () => {
      expect((await many()).match(/^ {2}many\/f\d+\.txt$/gm)).toHaveLength(1000)
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('read_only'))
  })

  describe('6. grep_search', () => {
    const here = sharedWorkspace({
      'app.py': `${'\n'.repeat(14)}# TODO: implement\n# TODO: test\n`,
      'lib.py': 'TODO\n',
      ...Object.fromEntries(Array.from({ length: 8 }, (_, count) => [`f${count}.txt`, 'hit\n'.repeat(200)])),
      'data.bin': Buffer.from('needle\0\n'),
    })
    const tool = 'grep_search'
    const PARAMETERS = {
      pattern: { type: 'string', description: 'Text or regex pattern to search for', required: true },
      is_regex: {
        type: 'boolean',
        description: 'Whether pattern is regex (default: false)',
        required: false,
        default: false,
      },
      file_pattern: {
        type: 'string',
        description: 'Glob pattern to limit files searched (default: all files)',
        required: false,
      },
      max_results: {
        type: 'integer',
        description: 'Maximum number of results to return (default: 100)',
        required: false,
        default: 100,
      },
    }

    it('printed: purpose', () => {
      expect(described(tool).description).toBe('Search file contents for text or regex pattern')
    })

    it('printed: parameters', () => expect(Object.keys(parametersOf(tool))).toEqual(Object.keys(PARAMETERS)))

    it.each(fieldsOf(PARAMETERS))('printed: parameter %s: %s is %j', (name, key, value) => {
      expect(parametersOf(tool)[name]?.[key]).toBe(value)
    })

    it('printed: without is_regex the pattern is text', async () => {
      expect((await here.call(tool, { pattern: 'T.DO' })).metadata['total_matches']).toBe(0)
      expect((await here.call(tool, { pattern: 'T.DO', is_regex: true })).metadata['total_matches']).toBe(3)
    })

    it('printed: without file_pattern all files are searched', async () => {
      expect((await here.call(tool, { pattern: 'TODO' })).metadata['total_matches']).toBe(3)
      expect((await here.call(tool, { pattern: 'TODO', file_pattern: 'lib.*' })).metadata['total_matches']).toBe(1)
    })

    it('printed: without max_results 100 are returned', async () => {
      expect((await here.output(tool, { pattern: 'hit' })).match(/: hit$/gm)).toHaveLength(100)
    })

    it('printed: pattern must not be empty', async () => {
      expect(await here.code(tool, { pattern: '' })).toBe('invalid_parameters')
    })

    it('printed: max_results is between 1 and 1000', async () => {
      const shown = async (max_results: number) =>
        (await here.output(tool, { pattern: 'hit', max_results })).match(/: hit$/gm)?.length
      expect([await shown(1), await shown(1000)]).toEqual([1, 1000])
      for (const max_results of [0, 1001])
        expect(await here.code(tool, { pattern: 'hit', max_results })).toBe('invalid_parameters')
    })

    it('printed: binary files are skipped', async () => {
      expect((await here.call(tool, { pattern: 'needle' })).metadata['total_matches']).toBe(0)
    })

    const found = once(() => here.call(tool, { pattern: 'TODO' }))
    it.each([
      ['success', true],
      ['output', expect.stringMatching(/^Found 3 matches for 'TODO':\n {2}app\.py:15: # TODO: implement\n/)],
      ['files_affected', []],
      ['execution_time_ms', TIME],
    ])('printed: success response: %s', async (field, value) => {
      expect(Reflect.get(await found(), field)).toEqual(value)
    })

    it.each([
      ['total_matches', 3],
      ['files_searched', 10],
      ['pattern', 'TODO'],
    ])('printed: success response: metadata %s is %j', async (field, value) => {
      expect((await found()).metadata[field]).toBe(value)
    })

    it('printed: Invalid regex', async () => {
      expect(await here.output(tool, { pattern: '(', is_regex: true })).toBe(
        'Error: Invalid regex pattern: unclosed group',
      )
    })

    it('printed: Timeout after 30s, with partial results', async () => {
      let timeoutMs: unknown
      const grep = async (options: object) => {
        timeoutMs = Reflect.get(options, 'timeoutMs')
        return { matches: [{ path: 'a', line: 1, text: 'x' }], total: 1, filesSearched: 1, timedOut: true }
      }
      const input = { pattern: 'x', is_regex: false, max_results: 100 }
      const { output } = await grepSearch.run(input, Object({ search: { grep } }), Object({}))
      expect([timeoutMs, output]).toEqual([
        30_000,
        "Warning: Search timed out after 30s, returning partial results\nFound 1 match for 'x':\n  a:1: x\n",
      ])
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('read_only'))
  })

  describe('7. run_in_terminal', () => {
    const here = sharedWorkspace({ 'five.txt': '1\n2\n3\n4\n5\n' })
    const tool = 'run_in_terminal'
    const PARAMETERS = {
      command: { type: 'string', description: 'Shell command to execute', required: true },
      timeout_seconds: {
        type: 'integer',
        description: 'Timeout in seconds (default: 30)',
        required: false,
        default: 30,
      },
    }

    it('printed: purpose', () => expect(described(tool).description).toBe('Execute a shell command'))

    it('printed: parameters', () => expect(Object.keys(parametersOf(tool))).toEqual(Object.keys(PARAMETERS)))

    it.each(fieldsOf(PARAMETERS))('printed: parameter %s: %s is %j', (name, key, value) => {
      expect(parametersOf(tool)[name]?.[key]).toBe(value)
    })

    it('printed: command must not be empty', async () => {
      expect(await here.code(tool, { command: '' })).toBe('invalid_parameters')
    })

    it.each([0, 301])('printed: timeout_seconds is between 1 and 300, and not %i', async timeout_seconds => {
      expect(await here.code(tool, { command: 'true', timeout_seconds })).toBe('invalid_parameters')
    })

    needsSandbox('printed: a shell executes the command, in the working directory', async () => {
      expect(await here.output(tool, { command: 'pwd | cat', timeout_seconds: 300 })).toBe(
        `Command output:\n${here.workspace.path}\n`,
      )
    })

    const ran = once(() => here.call(tool, { command: 'cat five.txt' }))
    needsSandbox.each([
      ['success', true],
      ['output', 'Command output:\n1\n2\n3\n4\n5\n'],
      ['files_affected', []],
      ['execution_time_ms', TIME],
    ])('printed: success response: %s is %j', async (field, value) => {
      expect(Reflect.get(await ran(), field)).toEqual(value)
    })

    needsSandbox.each([
      ['exit_code', 0],
      ['stdout_lines', 5],
      ['stderr_lines', 0],
    ])('printed: success response: metadata %s is %i', async (field, value) => {
      expect((await ran()).metadata[field]).toBe(value)
    })

    needsSandbox('printed: Command not found', async () => {
      expect(await here.output(tool, { command: 'invalid_cmd' })).toBe("Error: Command 'invalid_cmd' not found")
    })

    needsSandbox('printed: Timeout', async () => {
      expect(await here.output(tool, { command: 'sleep 30', timeout_seconds: 1 })).toBe(
        'Error: Command timed out after 1 seconds',
      )
    })

    needsSandbox('printed: Non-zero exit', async () => {
      expect(await here.output(tool, { command: 'echo why >&2; exit 1' })).toBe(
        'Error: Command failed with exit code 1:\nwhy\n',
      )
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('dangerous'))
  })

  describe('8. terminal_last_command', () => {
    const here = sharedWorkspace({ 'a.txt': 'one\n' })
    const tool = 'terminal_last_command'

    it('printed: purpose', () => {
      expect(described(tool).description).toBe('Retrieve the last shell command that was executed')
    })

    it('printed: no parameters', () => expect(parametersOf(tool)).toEqual({}))

    const last = once(async () => {
      await here.call('run_in_terminal', { command: 'cat a.txt' })
      return here.call(tool, {})
    })
    needsSandbox.each([
      ['success', true],
      ['output', 'Last command: cat a.txt\nOutput: one\n'],
      ['files_affected', []],
      ['execution_time_ms', TIME],
    ])('printed: success response: %s is %j', async (field, value) => {
      expect(Reflect.get(await last(), field)).toEqual(value)
    })

    needsSandbox.each([
      ['command', 'cat a.txt'],
      ['exit_code', 0],
      ['executed_at', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
    ])('printed: success response: metadata %s', async (field, value) => {
      expect((await last()).metadata[field]).toEqual(value)
    })

    it('printed: No command history', async () => {
      expect(await here.output(tool, {}, {})).toBe('Error: No previous command in this session')
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('read_only'))
  })

  describe('9. create_directory', () => {
    const here = sharedWorkspace({ 'test.txt': '', 'lib/a.txt': '' })
    const tool = 'create_directory'
    const PARAMETERS = {
      path: { type: 'string', description: 'Relative path to directory to create', required: true },
    }

    it('printed: purpose', () => {
      expect(described(tool).description).toBe('Create a directory structure (equivalent to mkdir -p)')
    })

    it('printed: parameters', () => expect(Object.keys(parametersOf(tool))).toEqual(Object.keys(PARAMETERS)))

    it.each(fieldsOf(PARAMETERS))('printed: parameter %s: %s is %j', (name, key, value) => {
      expect(parametersOf(tool)[name]?.[key]).toBe(value)
    })

    it('printed: path is within the working directory', async () => {
      expect(await here.output(tool, { path: '../x' })).toBe("Error: Path '../x' is outside working directory")
    })

    it('printed: no error if it exists', async () => {
      expect(await here.call(tool, { path: 'lib' })).toMatchObject({ success: true, files_affected: [] })
    })

    const created = once(() => here.call(tool, { path: 'src/models' }))
    it('printed: parents are created as needed', async () => {
      await created()
      expect(here.workspace.snapshot()).toMatchObject({ 'src/': expect.any(String), 'src/models/': expect.any(String) })
    })

    it.each([
      ['success', true],
      ['output', 'Created directory: src/models'],
      ['files_affected', ['src/models']],
      ['execution_time_ms', TIME],
      ['metadata', { created_parents: ['src'] }],
    ])('printed: success response: %s is %j', async (field, value) => {
      expect(Reflect.get(await created(), field)).toEqual(value)
    })

    it('printed: Path is a file', async () => {
      expect(await here.output(tool, { path: 'test.txt' })).toBe(
        "Error: Path 'test.txt' exists as a file, cannot create directory",
      )
    })

    it('printed: Permission denied', async () => {
      expect(await here.output(tool, { path: 'new' }, { permissions: ['fs:read'], permissionsOnly: true })).toBe(
        'Error: Cannot create directory - permission denied',
      )
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('safe_write'))
  })

  describe('10. fetch_webpage', () => {
    const here = sharedWorkspace()
    const tool = 'fetch_webpage'
    const url = 'https://example.com'
    const PARAMETERS = {
      url: { type: 'string', description: 'URL to fetch (must be http or https)', required: true },
      timeout_seconds: {
        type: 'integer',
        description: 'Request timeout (default: 10)',
        required: false,
        default: 10,
      },
    }
    const fetched = async (page: string, input: object = { url }) => {
      await using web = await fakePages({ [`${url}/`]: page })
      return await here.call(tool, input, { network: web.network })
    }

    it('printed: purpose', () => expect(described(tool).description).toBe('Fetch content from a web page'))

    it('printed: parameters', () => expect(Object.keys(parametersOf(tool))).toEqual(Object.keys(PARAMETERS)))

    it.each(fieldsOf(PARAMETERS))('printed: parameter %s: %s is %j', (name, key, value) => {
      expect(parametersOf(tool)[name]?.[key]).toBe(value)
    })

    it.each(['ftp://example.com/', 'example.com'])(
      'printed: url starts with http:// or https://, and not as %s',
      async other => {
        expect(await here.code(tool, { url: other })).toBe('invalid_parameters')
      },
    )

    it.each([0, 61])('printed: timeout_seconds is between 1 and 60, and not %i', async timeout_seconds => {
      expect(await here.code(tool, { url, timeout_seconds })).toBe('invalid_parameters')
    })

    const page = once(() => fetched(`<p>${'x'.repeat(5317)}</p>`, { url, timeout_seconds: 60 }))
    it.each([
      ['success', true],
      ['output', expect.stringMatching(/^Fetched content from https:\/\/example\.com \(5\.2 KB\)\n\s*x{5317}\s*$/)],
      ['files_affected', []],
      ['execution_time_ms', TIME],
    ])('printed: success response: %s', async (field, value) => {
      expect(Reflect.get(await page(), field)).toEqual(value)
    })

    it.each([
      ['url', 'https://example.com'],
      ['status_code', 200],
      ['content_length', 5324],
      ['content_type', 'text/html'],
    ])('printed: success response: metadata %s is %j', async (field, value) => {
      expect((await page()).metadata[field]).toBe(value)
    })

    it('printed: Invalid URL', async () => {
      expect(await here.output(tool, { url: 'http://' })).toBe('Error: Invalid URL format')
    })

    it('printed: Network error', async () => {
      // Nobody listens on port 1.
      const network = { lookup: async () => ['93.184.216.34'], connect: () => connect(1, '127.0.0.1') }
      expect(await here.output(tool, { url }, { network })).toBe('Error: Failed to fetch - connection refused')
    })

    it('printed: Timeout', async () => {
      await using web = await fakeWeb({ hosts: ['example.com'], answer: () => {} })
      expect(await here.output(tool, { url, timeout_seconds: 1 }, { network: web.network })).toBe(
        'Error: Request timed out after 1 seconds',
      )
    })

    const large = once(() => fetched('x'.repeat(MB + 1)))
    it('printed: Too large', async () => {
      expect((await large()).output.split('\n')[1]).toBe('Error: Response too large (>1MB), truncating')
    })

    it('printed: 1MB is the most that is given', async () => {
      expect((await large()).output.split('\n').at(-1)).toHaveLength(MB)
    })

    it('printed: risk level', () => expect(described(tool).risk).toBe('dangerous'))
  })
})

describe('Common Patterns', () => {
  describe('Error Handling', () => {
    const here = sharedWorkspace()
    const missing = once(() => here.call('read_file', { path: 'missing.txt' }))

    it('printed: an error has these fields', async () => {
      expect(Object.keys((await missing()).error)).toEqual(['code', 'message', 'suggestion'])
    })

    it('printed: a code such as path_outside_working_dir', async () => {
      expect(await here.code('read_file', { path: '../x' })).toBe('path_outside_working_dir')
    })

    it.each([
      ['code', 'file_not_found'],
      ['message', "File 'missing.txt' not found in working directory"],
      ['suggestion', 'Check the file name and try again, or use file_search to find it'],
    ] as const)('printed: the example: %s', async (field, value) => {
      expect((await missing()).error[field]).toBe(value)
    })
  })

  describe('Approval Display', () => {
    const cli = useCli()
    const shown = async () => {
      const call = ['call', 'create_file', JSON.stringify({ path: 'hello.py', content: 'x'.repeat(20) })]
      const { err } = await cli.run([...call, '--contract', 'cli-agent'], { person: ['n'] })
      return stripVTControlCharacters(err).replaceAll('\r', '').trimStart().split('\n')
    }

    it.each([
      [1, 'Tool: create_file'],
      [2, 'Parameters:'],
      [3, '  path: hello.py'],
      [4, '  content: <20 bytes>'],
      [5, 'Files affected: hello.py'],
      [6, 'Risk level: safe_write'],
    ])('printed: line %i is %j', async (line, text) => {
      expect((await shown())[line - 1]).toBe(text)
    })

    it('printed: a question with three answers, after an empty line', async () => {
      const lines = await shown()
      const question = lines.findIndex(line => line.includes('Approve? (y/n/always):'))
      expect([lines[question - 1], lines[question]]).toEqual([
        '',
        expect.stringMatching(/^Approve\? \(y\/n\/always\): /),
      ])
    })
  })

  describe('Auto-Approval Matching', () => {
    const here = sharedWorkspace()
    const HOUR = 3_600_000
    /** Calls where no one can be asked: only the rule can approve. */
    async function isApproved(more: Partial<StoredApproval>, path: string) {
      const kit = await here.open({ permissions: [] })
      const rules = kit.workspace.approvals.workspace
      for (const { id } of rules.list()) rules.remove(id)
      rules.add({
        tool: 'cli-agent/create_directory',
        // Two backslashes, as printed.
        pattern: String.raw`^{"path":".*\\.txt"}$`,
        scope: 'workspace',
        workspace: kit.state.key,
        by: 'ada',
        at: new Date(Date.now() - HOUR).toISOString(),
        enabled: true,
        made: { major: 1, effects: ['create'] },
        ...more,
      })
      return Object(await kit.call('create_directory', { path })).success
    }

    it('printed: the example matches', async () => expect(await isApproved({}, 'test.txt')).toBe(true))

    it('printed: the serialized parameters must match the pattern', async () => {
      expect(await isApproved({}, 'test.md')).toBe(false)
    })

    it('printed: the tool name must match exactly', async () => {
      expect(await isApproved({ tool: 'cli-agent/create' }, 'tool.txt')).toBe(false)
    })

    it('printed: the rule must not be expired', async () => {
      expect(await isApproved({ expiresAt: new Date(Date.now() - 1).toISOString() }, 'expired.txt')).toBe(false)
    })

    it('printed: the rule must not be disabled', async () => {
      expect(await isApproved({ enabled: false }, 'disabled.txt')).toBe(false)
    })
  })

  describe('Output Formatting', () => {
    const cli = useCli()
    const run = async (...options: readonly string[]) => {
      const call = ['call', 'create_file', JSON.stringify({ path: 'hello.py', content: 'x'.repeat(125) })]
      return (await cli.run([...call, '--contract', 'cli-agent', '--yes', ...options])).out
    }
    const line = async (number: number) => (await run()).split('\n')[number - 1]

    it('printed: people read ✓ and the output', async () => {
      expect(await line(1)).toBe('✓ Created file: hello.py (125 bytes)')
    })

    it('printed: then where it is', async () => {
      expect(await line(2)).toBe(`  Location: ${join(cli.workspace.path, 'hello.py')}`)
    })

    it('printed: then the time', async () => expect(await line(3)).toMatch(/^ {2}Time: \d+ms$/))

    it.each([
      ['tool', 'create_file'],
      ['success', true],
      ['output', 'Created file: hello.py (125 bytes)'],
      ['files_affected', ['hello.py']],
      ['execution_time_ms', expect.any(Number)],
    ])('printed: --json gives %s', async (field, value) => {
      expect(JSON.parse(await run('--json'))[field]).toEqual(value)
    })

    it('printed: --json gives these fields in this order', async () => {
      expect(Object.keys(JSON.parse(await run('--json')))).toEqual([
        'tool',
        'success',
        'output',
        'files_affected',
        'execution_time_ms',
      ])
    })
  })
})

describe('LLM Function Calling Format', () => {
  it('printed: the whole form of create_file', () => {
    expect(described('create_file', 'openai')).toStrictEqual({
      name: 'create_file',
      description: 'Create a new file with specified content',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Relative path to the file to create' },
          content: { type: 'string', description: 'Content to write to the file' },
        },
        required: ['path', 'content'],
      },
    })
  })
})

describe('Testing Contracts', () => {
  it.each(CATALOG)('printed: at least 10 test scenarios for %s', name => {
    const file = join(import.meta.dirname, '../cli-agent', `${name.replaceAll('_', '-')}.test.ts`)
    expect(readFileSync(file, 'utf8').match(/^ {2}it(\.each|\()/gm)?.length).toBeGreaterThanOrEqual(10)
  })
})
