import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliAgent } from '../../../src/contracts/cli-agent/contract.ts'
import { ToolError, type Code } from '../../../src/kernel/error.ts'
import { fakePerson } from '../../../src/testing/fakes.ts'
import { wireForm } from '../../../src/kernel/wire-forms.ts'
import { failure, timeless, useAgent } from './rig.ts'

const agent = useAgent({ 'a.txt': 'a\n' })
const toolNamed = (name: string) => {
  const tool = cliAgent.tools.find(one => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return tool
}
const described = (name: string, form: 'json' | 'openai') => Object(wireForm(toolNamed(name), form, cliAgent))

/** As the catalog of the document has them. */
const CATALOG = [
  ['create_file', 'Create a new file with specified content', 'safe_write', ['path', 'content']],
  ['read_file', 'Read the contents of a file, optionally specifying line range', 'read_only', ['path']],
  [
    'replace_string_in_file',
    'Replace a specific string in a file with new content',
    'dangerous',
    ['path', 'old_string', 'new_string'],
  ],
  ['list_dir', 'List contents of a directory', 'read_only', []],
  ['file_search', 'Search for files matching a glob pattern', 'read_only', ['pattern']],
  ['grep_search', 'Search file contents for text or regex pattern', 'read_only', ['pattern']],
  ['run_in_terminal', 'Execute a shell command', 'dangerous', ['command']],
  ['terminal_last_command', 'Retrieve the last shell command that was executed', 'read_only', []],
  ['create_directory', 'Create a directory structure (equivalent to mkdir -p)', 'safe_write', ['path']],
  ['fetch_webpage', 'Fetch content from a web page', 'dangerous', ['url']],
] as const

describe('the interface of every tool', () => {
  it.each(CATALOG)(
    'CA-01: %s has description, schema, risk level and approval flag',
    (name, description, risk, required) => {
      const form = described(name, 'json')
      expect(form).toMatchObject({
        name,
        description,
        risk,
        requiresApproval: risk !== 'read_only',
        input: { type: 'object' },
      })
      expect(form.input.required ?? []).toEqual(required)
      for (const field of Object.values(form.input.properties))
        expect(field).toMatchObject({ description: expect.stringMatching(/\w/) })
    },
  )

  it.each(CATALOG)('CA-01: %s is validated before anything is asked or run', async name => {
    const person = fakePerson('yes')
    const answer = await agent.fails(name, { nonsense: 1 }, { permissions: [], approve: person })
    expect(answer).toMatchObject({
      error: { code: 'invalid_parameters', message: expect.stringContaining("Unknown parameter 'nonsense'") },
    })
    expect(person.asked).toEqual([])
  })

  it.each(CATALOG)('CA-01: %s asks exactly when it is not read_only', async (name, _description, risk) => {
    const person = fakePerson('no')
    const inputs: Record<string, object> = {
      create_file: { path: 'n', content: '' },
      replace_string_in_file: { path: 'a.txt', old_string: 'a', new_string: 'b' },
      run_in_terminal: { command: 'rm a.txt' },
      create_directory: { path: 'n' },
      fetch_webpage: { url: 'https://example.com/' },
      read_file: { path: 'a.txt' },
      file_search: { pattern: '*' },
      grep_search: { pattern: 'a' },
    }
    const answer = await agent.call(name, inputs[name] ?? {}, { permissions: [], approve: person })
    // There is no last command yet.
    expect(answer).toMatchObject({ success: risk === 'read_only' && name !== 'terminal_last_command' })
    expect(person.asked).toHaveLength(risk === 'read_only' ? 0 : 1)
  })

  it('CA-02: every answer has the same four fields, and metadata where the document has it', async () => {
    const answer = Object(await agent.call('read_file', { path: 'a.txt' }))
    expect(Object.keys(answer)).toEqual(['success', 'output', 'files_affected', 'execution_time_ms', 'metadata'])
    const failed = Object(await agent.call('read_file', { path: 'b.txt' }))
    expect(Object.keys(failed)).toEqual(['success', 'output', 'files_affected', 'execution_time_ms', 'error'])
  })
})

describe('the time of a call', () => {
  const slowly = (answer: 'yes' | 'no') => async () => {
    await new Promise(resolve => setTimeout(resolve, THINKING_MS))
    return { answer, by: 'somebody who thinks' }
  }
  const THINKING_MS = 500

  it.each(['yes', 'no'] as const)('CA-02: is without that in which a person thought of a %s', async answer => {
    const kit = await agent.open({ permissions: [], approve: slowly(answer) })
    const input = { path: 'new.txt', content: '' }
    const { outcome, answer: told } = await kit.run('create_file', input)
    expect(outcome.meta.durationMs).toBeGreaterThan(THINKING_MS - 100)
    const { success, execution_time_ms: time } = Object(told)
    expect(success).toBe(answer === 'yes')
    expect(time).toBeLessThan(outcome.meta.durationMs - THINKING_MS + 100)
  })
})

describe('the schema of answers', () => {
  it.each(CATALOG)('CA-02: that of %s has the fields of the document, failures included', name => {
    const { outputSchema } = Object(wireForm(toolNamed(name), 'mcp', cliAgent))
    expect(outputSchema).toMatchObject({
      type: 'object',
      properties: {
        success: { type: 'boolean' },
        output: { type: 'string' },
        files_affected: { type: 'array' },
        execution_time_ms: { type: 'integer' },
        metadata: { type: 'object' },
        error: { required: ['code', 'message'] },
      },
      required: ['success', 'output', 'files_affected', 'execution_time_ms'],
    })
  })
})

describe('errors', () => {
  it('CA-03: every failure of every tool says what went wrong and what to do next', () => {
    const codes = Object.keys(cliAgent.codes) as Code[]
    for (const name of [...cliAgent.tools.map(tool => tool.name), 'unheard_of'])
      for (const code of codes)
        for (const input of [{ path: 'x' }, {}, null]) {
          const answer = timeless(cliAgent.envelope({ name, input }, outcomeOf(new ToolError(code, 'It failed'))))
          expect(answer).toMatchObject({
            success: false,
            output: expect.stringMatching(/^Error: \w/),
            error: {
              code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
              message: expect.stringMatching(/\w/),
              suggestion: expect.stringMatching(/\w/),
            },
          })
        }
  })

  it('CA-03: an unknown tool is an answer that names exactly the tools of the catalog', async () => {
    const answer = Object(await agent.fails('delete_file', { path: 'a.txt' }))
    expect(answer).toStrictEqual(failure('unknown_tool', "No tool named 'delete_file'", /^Tools: /))
    const named: readonly string[] = answer.error.suggestion.slice('Tools: '.length).split(', ')
    expect(named.toSorted()).toEqual(CATALOG.map(([name]) => name).toSorted())
  })

  it.each([
    ['create_file', "Cannot create file 'protected.txt' - permission denied"],
    ['list_dir', 'Cannot list directory - permission denied'],
    ['create_directory', 'Cannot create directory - permission denied'],
  ])('CA-03: %s tells a refusal of the disk in the printed words', (name, message) => {
    for (const errno of ['EACCES', 'EPERM', 'EROFS']) {
      const error = new ToolError('io', 'x', { hint: 'Change the permissions of the file.', details: { errno } })
      expect(timeless(cliAgent.envelope({ name, input: { path: 'protected.txt' } }, outcomeOf(error)))).toStrictEqual(
        failure('permission_denied', message, 'Change the permissions of the file.'),
      )
    }
  })
})

describe('the form for function calling', () => {
  it('CA-17: create_file exactly as printed', () => {
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

  it.each(cliAgent.tools.map(({ name }) => name))('CA-17: %s exports in the same form', name => {
    const form = described(name, 'openai')
    expect(Object.keys(form)).toEqual(['name', 'description', 'parameters'])
    expect(form.parameters).toMatchObject({ type: 'object', properties: expect.any(Object) })
    expect(form.parameters).not.toHaveProperty('additionalProperties')
  })
})

describe('what the catalog prints of a parameter', () => {
  /** Makes a call that no one approves, and returns the recorded input. */
  const recorded = async (name: string, input: object) => {
    const inputs: unknown[] = []
    const onRecord = (record: object) => void inputs.push(Reflect.get(record, 'input'))
    const answer = Object(await agent.call(name, input, { permissions: [], approve: fakePerson('no'), onRecord }))
    return { input: inputs[0], refused: answer.error?.code === 'invalid_parameters' }
  }

  it.each([
    ['list_dir', {}, { path: '.', page: 1 }],
    ['file_search', { pattern: '*' }, { base_path: '.' }],
    ['grep_search', { pattern: 'a' }, { is_regex: false, max_results: 100 }],
    ['run_in_terminal', { command: 'rm a.txt' }, { timeout_seconds: 30 }],
    ['fetch_webpage', { url: 'https://example.com/' }, { timeout_seconds: 10 }],
  ])('CA-07, CA-08, CA-09, CA-10, CA-13, CA-17: a call of %s with %j means %j', async (name, input, defaults) => {
    expect(await recorded(name, input)).toEqual({ input: { ...input, ...defaults }, refused: false })
  })

  it.each([
    ['grep_search', 'max_results', 1000, { pattern: 'a' }],
    ['run_in_terminal', 'timeout_seconds', 300, { command: 'rm a.txt' }],
    ['fetch_webpage', 'timeout_seconds', 60, { url: 'https://example.com/' }],
  ])('CA-09, CA-10, CA-13, CA-17: %s takes %s from 1 to %i, and nothing else', async (name, parameter, most, input) => {
    const refuses = async (value: unknown) => (await recorded(name, { ...input, [parameter]: value })).refused
    for (const value of [1, most]) expect([value, await refuses(value)]).toEqual([value, false])
    for (const value of [0, most + 1, 1.5, '1']) expect([value, await refuses(value)]).toEqual([value, true])
  })
})

describe('the tests themselves', () => {
  it.each(CATALOG)('CA-18: %s has at least ten scenarios', name => {
    const file = `${name.replaceAll('_', '-')}.test.ts`
    expect(readdirSync(import.meta.dirname)).toContain(file)
    const scenarios = readFileSync(join(import.meta.dirname, file), 'utf8').match(/^ {2}it(\.each|\()/gm) ?? []
    expect(scenarios.length).toBeGreaterThanOrEqual(10)
  })
})

const outcomeOf = (error: ToolError) => ({
  ok: false as const,
  error,
  meta: { id: 'x', startedAt: '', endedAt: '', durationMs: 1.4, claims: [], changed: [] },
})
