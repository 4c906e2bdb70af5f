// oxlint-disable vitest/no-standalone-expect -- some tests are given by `needs`, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { z } from 'zod'
import {
  debugAssistant,
  FindCallersOfFunctionTool,
  GetCodeContextTool,
  ReadFileTool,
  ToolBase,
  type ToolResult,
} from '../../../src/documents/debug-assistant.ts'
import { defineTool } from '../../../src/engines/engines.ts'
import { inputSchema, outputSchema } from '../../../src/kernel/json-schema.ts'
import { readCallLine } from '../../../src/surfaces/cli/call-line.ts'
import { needs } from '../../needs.ts'
import { failure, rigWith, type Rig } from '../debug-assistant/rig.ts'
import { useProject } from '../directory.ts'

const served = needs('bubblewrap')

/** The five lines of the document's example, which stand from line 40 on. */
const FETCH =
  'export async function fetchUserData(userId: string) {\n  const response = await fetch(`/api/users/${userId}`);\n  const data = await response.json();\n  return data.users.map(u => u.name);\n}'
const USER = `${'//\n'.repeat(39)}${FETCH}\n`
const MOST = 10 * 1024 * 1024
const STEPS = Array.from({ length: 200 }, (_, at) => `  step(${at + 3})`)
const RUN = ["import { step, other } from './step.ts'", 'export function run(): void {', ...STEPS, '}']
const above = (lines: number) => '//\n'.repeat(lines)

const FILES = {
  'tsconfig.json':
    '{ "compilerOptions": { "jsx": "preserve", "module": "esnext", "lib": ["esnext"] }, "include": ["src"] }\n',
  'src/api/user.ts': USER,
  'src/components/UserProfile.tsx': `import { fetchUserData } from '../api/user'\n${above(19)}export class UserProfile {\n  loadData() {\n    return fetchUserData('1')\n  }\n  render() {\n    return this.loadData()\n  }\n}\n`,
  'src/views/Dashboard.tsx': `import { fetchUserData } from '../api/user'\n${above(41)}export class Dashboard {\n  init() {\n    return fetchUserData('2')\n  }\n}\n`,
  'run.ts': `${RUN.join('\n')}\n`,
  'chain.kt':
    'fun fetchData() {}\nfun processData() { fetchData() }\nfun main() { processData() }\nfun top() { main() }\n',
  'notes.txt': 'nothing\n',
  'wide.txt': Buffer.from('\ufeffžluť\n', 'utf16le'),
  'data.bin': '\0\x01',
  'secret/key': 'x',
  'most.txt': 'a'.repeat(MOST),
  'more.txt': 'a'.repeat(MOST + 1),
}
/** A server that starts on a busy machine may need more than the document's 2 s. */
const PATIENT = {
  timeouts: { 'debug-assistant/*': 60_000 },
  policy: { rules: [{ action: 'read', path: 'secret/**', verdict: 'deny' }] },
}

let rig: Rig
beforeAll(async () => {
  rig = await rigWith(FILES, PATIENT)
})
afterAll(() => rig[Symbol.asyncDispose]())
const call = async (tool: string, parameters: object) => Object(await rig.call(tool, parameters))
const codeOf = async (tool: string, parameters: object) => (await call(tool, parameters)).error?.code

/** The parameters as JSON Schema, and those that have to be given. */
const schemaOf = (name: string) => {
  const tool = debugAssistant.tools.find(one => one.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  const { properties, required } = inputSchema(tool)
  return { properties: Object(properties), required, description: tool.description }
}

describe('API Contracts - Tool Input/Output Schemas', () => {
  it('printed: contracts are enforced by Zod at run time', () => {
    for (const { parameters } of [ReadFileTool, GetCodeContextTool, FindCallersOfFunctionTool])
      expect(parameters).toBeInstanceOf(z.ZodType)
  })

  it('printed: iterations are not limited', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => call('read_file', { filePath: 'notes.txt' })))
    expect(answers.filter(({ success }) => success === true)).toHaveLength(60)
  })
})

describe('Schema Format', () => {
  const each = <T>(what: (tool: (typeof debugAssistant.tools)[number]) => T) => debugAssistant.tools.map(what)

  it('printed: tool names are unique', () => {
    expect(new Set(each(({ name }) => name)).size).toBe(debugAssistant.tools.length)
  })

  it('printed: each tool has a description', () => {
    for (const description of each(tool => tool.description)) expect(description).toMatch(/^[A-Z].+\.$/)
  })

  it('printed: each tool has a JSON schema of its parameters, with a description of each', () => {
    for (const { properties } of each(({ name }) => schemaOf(name)))
      for (const property of Object.values(properties)) expect(Object(property).description).toMatch(/\w+ \w+/)
  })

  it('printed: each tool has a schema of its output', () => {
    for (const schema of each(outputSchema))
      expect(schema).toMatchObject({ type: 'object', required: expect.any(Array) })
  })

  it('printed: each tool has an example', () => {
    for (const examples of each(tool => tool.examples)) expect(examples[0]?.input).toEqual(expect.any(Object))
  })
})

describe('Tool Registry', () => {
  it.each(['read_file', 'get_code_context', 'find_callers_of_function'])('printed: there is %s', async name => {
    expect(await codeOf(name, {})).toBe('INVALID_PARAMETERS')
    expect((await call(name, {})).error.message).toContain('filePath')
  })
})

describe('1. `read_file`', () => {
  const { properties, required, description } = schemaOf('read_file')

  describe('Description', () => {
    it('printed: it reads the whole file, or a range of lines', () => {
      expect(description).toBe(
        'Read the complete contents of a file in the workspace, optionally specifying line range.',
      )
    })
  })

  describe('Input Parameters (Zod Schema)', () => {
    it('printed: filePath is the only parameter that has to be given', () => {
      expect(required).toEqual(['filePath'])
      expect(Object.keys(properties)).toEqual(['filePath', 'lineStart', 'lineEnd', 'encoding'])
    })

    it.each([
      ['filePath', 'string', 'Relative path from workspace root (e.g., "src/utils/helper.ts")'],
      ['lineStart', 'integer', 'Starting line number (1-indexed, inclusive)'],
      ['lineEnd', 'integer', 'Ending line number (1-indexed, inclusive)'],
      ['encoding', 'string', 'File encoding'],
    ])('printed: %s is of type %s and described as it is', (name, type, words) => {
      expect(properties[name]).toMatchObject({ type, description: words })
    })

    it.each(['lineStart', 'lineEnd'])('printed: %s is a positive whole number', async name => {
      for (const wrong of [0, -1, 1.5, '1'])
        expect(await codeOf('read_file', { filePath: 'notes.txt', [name]: wrong })).toBe('INVALID_PARAMETERS')
      expect(await call('read_file', { filePath: 'notes.txt', [name]: 1 })).toMatchObject({ success: true })
    })

    it('printed: both ends of a range are included', async () => {
      const { data } = await call('read_file', { filePath: 'src/api/user.ts', lineStart: 40, lineEnd: 41 })
      expect(data.content).toBe(FETCH.split('\n').slice(0, 2).join('\n'))
    })

    it('printed: encoding is utf-8, utf-16 or ascii', async () => {
      expect(properties.encoding.enum).toEqual(['utf-8', 'utf-16', 'ascii'])
      const read = (filePath: string, encoding: string) => call('read_file', { filePath, encoding })
      expect((await read('notes.txt', 'ascii')).data).toMatchObject({ content: 'nothing\n', encoding: 'ascii' })
      expect((await read('wide.txt', 'utf-16')).data).toMatchObject({ content: 'žluť\n', encoding: 'utf-16' })
      expect((await read('notes.txt', 'latin-1')).error.code).toBe('INVALID_PARAMETERS')
    })

    it('printed: encoding is utf-8 unless given', async () => {
      expect(ReadFileTool.parameters.parse({ filePath: 'a' })).toEqual({ filePath: 'a', encoding: 'utf-8' })
      expect((await call('read_file', { filePath: 'notes.txt' })).data.encoding).toBe('utf-8')
    })
  })

  describe('Output Format', () => {
    it('printed: data has five fields', async () => {
      expect(await call('read_file', { filePath: 'notes.txt' })).toStrictEqual({
        success: true,
        data: { filePath: 'notes.txt', content: 'nothing\n', lineCount: 1, encoding: 'utf-8', fileSize: 8 },
      })
    })

    it('printed: fileSize counts bytes', async () => {
      const { data } = await call('read_file', { filePath: 'wide.txt' })
      expect([data.content.length, data.fileSize]).toEqual([5, 12])
    })

    it.each([
      ['FILE_NOT_FOUND', 'none.txt'],
      ['PERMISSION_DENIED', 'secret/key'],
      ['BINARY_FILE', 'data.bin'],
      ['TOO_LARGE', 'more.txt'],
    ])('printed: it fails with %s for %s', async (code, filePath) => {
      expect(await call('read_file', { filePath })).toStrictEqual(failure(code, expect.stringMatching(/\w+ \w+/)))
    })
  })

  describe('Example Usage', () => {
    it('printed: the request is answered with these five lines', async () => {
      const request = { filePath: 'src/api/user.ts', lineStart: 40, lineEnd: 55 }
      expect(await call('read_file', request)).toStrictEqual({
        success: true,
        // The size that is printed is less than that of the content; ours is that of the file.
        data: { filePath: 'src/api/user.ts', content: FETCH, lineCount: 5, encoding: 'utf-8', fileSize: USER.length },
      })
    })

    it('printed: a file that is not there fails with this message', async () => {
      expect(await call('read_file', { filePath: 'src/api/none.ts' })).toStrictEqual({
        success: false,
        error: { code: 'FILE_NOT_FOUND', message: "File 'src/api/none.ts' does not exist in workspace" },
      })
    })
  })
})

describe('3. `get_code_context`', () => {
  const { properties, required, description } = schemaOf('get_code_context')
  const context = (more: object = {}) => call('get_code_context', { filePath: 'run.ts', line: 100, ...more })
  const linesOf = (text: string) => text.split('\n').length

  describe('Description', () => {
    it('printed: it extracts the code around an error', () => {
      expect(description).toBe(
        'Extract code surrounding an error location, including function definitions and relevant imports.',
      )
    })
  })

  describe('Input Parameters (Zod Schema)', () => {
    it('printed: filePath and line have to be given', () => {
      expect(required).toEqual(['filePath', 'line'])
    })

    it.each([
      ['filePath', 'string', 'File containing the error'],
      ['line', 'integer', 'Error line number (1-indexed)'],
      ['contextLines', 'integer', 'Number of lines to include (before and after error)'],
      ['includeFunctionDef', 'boolean', 'Whether to include the full function containing the error'],
    ])('printed: %s is of type %s and described as it is', (name, type, words) => {
      expect(properties[name]).toMatchObject({ type, description: words })
    })

    it('printed: line is a positive whole number', async () => {
      for (const line of [0, 1.5, '1']) expect((await context({ line })).error.code).toBe('INVALID_PARAMETERS')
    })

    it('printed: contextLines is from 5 to 100', async () => {
      for (const contextLines of [4, 101, 5.5])
        expect((await context({ contextLines })).error.code).toBe('INVALID_PARAMETERS')
      expect(linesOf((await context({ contextLines: 5 })).data.context.before)).toBe(5)
      expect(linesOf((await context({ contextLines: 100 })).data.context.after)).toBe(100)
    })

    it('printed: contextLines is 50 unless given, before and after', async () => {
      const { before, after } = (await context()).data.context
      expect([linesOf(before), linesOf(after)]).toEqual([50, 50])
    })

    it('printed: includeFunctionDef is true unless given', async () => {
      expect((await context()).data).toHaveProperty('functionDefinition')
      expect((await context({ includeFunctionDef: false })).data).not.toHaveProperty('functionDefinition')
    })
  })

  describe('Output Format', () => {
    it('printed: data has the file, the line, its context, the function and the imports', async () => {
      const { success, data } = await context()
      expect(success).toBe(true)
      expect(Object.keys(data)).toEqual(['filePath', 'errorLine', 'context', 'functionDefinition', 'relevantImports'])
      expect(data).toMatchObject({ filePath: 'run.ts', errorLine: 100 })
    })

    it('printed: context has the code before the line, the line itself, and the code after it', async () => {
      expect((await context({ contextLines: 5 })).data.context).toStrictEqual({
        before: RUN.slice(94, 99).join('\n'),
        errorLine: RUN[99],
        after: RUN.slice(100, 105).join('\n'),
      })
    })

    it('printed: functionDefinition has the name, both lines and the signature', async () => {
      expect((await context()).data.functionDefinition).toStrictEqual({
        name: 'run',
        startLine: 2,
        endLine: 203,
        signature: 'export function run(): void',
      })
    })

    it('printed: relevantImports have the module, what is imported, and the line', async () => {
      expect((await context()).data.relevantImports).toStrictEqual([
        { module: './step.ts', imported: ['step'], line: 1 },
      ])
    })

    it.each([
      ['FILE_NOT_FOUND', { filePath: 'none.ts' }],
      ['LINE_OUT_OF_RANGE', { line: 204 }],
    ])('printed: it fails with %s for %j', async (code, more) => {
      expect(await context(more)).toStrictEqual(failure(code, expect.stringMatching(/\w+ \w+/)))
    })
  })
})

describe('4. `find_callers_of_function`', () => {
  const { properties, required, description } = schemaOf('find_callers_of_function')
  const callers = (more: object) =>
    call('find_callers_of_function', { functionName: 'fetchData', filePath: 'chain.kt', ...more })
  const chains = (answer: { data: { callers: { callChain: string[] }[] } }) =>
    answer.data.callers.map(({ callChain }) => callChain)

  describe('Description', () => {
    it('printed: it finds who calls a function', () => {
      expect(description).toBe(
        'Use VS Code LSP to find all functions/methods that call the specified function. Useful for tracing error propagation.',
      )
    })
  })

  describe('Input Parameters (Zod Schema)', () => {
    it('printed: functionName and filePath have to be given', () => {
      expect(required).toEqual(['functionName', 'filePath'])
    })

    it.each([
      ['functionName', 'string', 'Name of the function to find callers for'],
      ['filePath', 'string', 'File where function is defined'],
      ['maxDepth', 'integer', 'Maximum call chain depth to traverse'],
    ])('printed: %s is of type %s and described as it is', (name, type, words) => {
      expect(properties[name]).toMatchObject({ type, description: words })
    })

    it('printed: maxDepth is from 1 to 5', async () => {
      for (const maxDepth of [0, 6, 1.5]) expect((await callers({ maxDepth })).error.code).toBe('INVALID_PARAMETERS')
      expect(chains(Object(await callers({ maxDepth: 1 })))).toEqual([['processData', 'fetchData']])
      expect(chains(Object(await callers({ maxDepth: 5 })))).toEqual([['top', 'main', 'processData', 'fetchData']])
    })

    it('printed: maxDepth is 2 unless given', async () => {
      expect(chains(Object(await callers({})))).toEqual([['main', 'processData', 'fetchData']])
    })
  })

  describe('Output Format', () => {
    it('printed: data has the function, its file, the callers and their number', async () => {
      const { data } = await callers({})
      expect(data).toMatchObject({ functionName: 'fetchData', filePath: 'chain.kt', totalCallers: 1 })
      expect(data.callers).toHaveLength(1)
    })

    it('printed: a caller has its name, file, line, chain with the outermost first, and depth', async () => {
      expect((await callers({})).data.callers).toStrictEqual([
        {
          callerName: 'processData',
          filePath: 'chain.kt',
          line: 2,
          callChain: ['main', 'processData', 'fetchData'],
          depth: 2,
        },
      ])
    })

    it.each([
      ['FUNCTION_NOT_FOUND', { functionName: 'nobody' }],
      ['LSP_UNAVAILABLE', { filePath: 'notes.txt' }],
    ])('printed: it fails with %s for %j', async (code, more) => {
      expect(await callers(more)).toStrictEqual(failure(code, expect.stringMatching(/\w+ \w+/)))
    })
  })

  describe('Example Usage', () => {
    served('printed: the request is answered as it is printed', async () => {
      const request = { functionName: 'fetchUserData', filePath: 'src/api/user.ts', maxDepth: 2 }
      expect(await call('find_callers_of_function', request)).toStrictEqual({
        success: true,
        data: {
          functionName: 'fetchUserData',
          filePath: 'src/api/user.ts',
          callers: [
            {
              callerName: 'UserProfile.loadData',
              filePath: 'src/components/UserProfile.tsx',
              line: 23,
              callChain: ['UserProfile.render', 'UserProfile.loadData', 'fetchUserData'],
              depth: 2,
            },
            {
              callerName: 'Dashboard.init',
              filePath: 'src/views/Dashboard.tsx',
              line: 45,
              callChain: ['Dashboard.init', 'fetchUserData'],
              depth: 1,
            },
          ],
          totalCallers: 2,
        },
      })
    })
  })
})

describe('Error Code Reference', () => {
  const nothing = {
    version: '1.0.0',
    description: 'Has an end of its own',
    effects: [],
    claims: () => [],
    examples: [{ input: {} }],
    input: z.strictObject({}),
    output: z.strictObject({}),
  } as const
  const sleep = defineTool({ ...nothing, name: 'sleep', run: () => new Promise<never>(() => {}) })
  const fail = defineTool({
    ...nothing,
    name: 'fail',
    run() {
      throw new TypeError('a defect')
    },
  })

  describe('Common Error Codes (All Tools)', () => {
    it.each([
      ['read_file', { filePath: 123 }],
      ['get_code_context', { filePath: 'run.ts', line: 'one' }],
      ['find_callers_of_function', { filePath: 'run.ts' }],
    ])('printed: INVALID_PARAMETERS is a violation of the schema of %s', async (tool, parameters) => {
      expect(await codeOf(tool, parameters)).toBe('INVALID_PARAMETERS')
    })

    it('printed: TOOL_TIMEOUT is a tool that takes more than 2s', async () => {
      const tools = debugAssistant.tools.map(tool => ({ ...tool, run: sleep.run }))
      const kit = await rig.workspace.open({ contract: { ...debugAssistant, tools } })
      expect(await kit.call('read_file', { filePath: 'notes.txt' })).toStrictEqual(
        failure('TOOL_TIMEOUT', expect.stringContaining(' 2 s')),
      )
    })

    it('printed: INTERNAL_ERROR is an unexpected exception', async () => {
      const kit = await rig.workspace.open({ contract: { ...debugAssistant, tools: [...debugAssistant.tools, fail] } })
      expect(await kit.call('fail', {})).toStrictEqual(failure('INTERNAL_ERROR', expect.stringMatching(/\w/)))
    })
  })

  describe('File Access Errors', () => {
    it.each(['read_file', 'get_code_context'])(
      'printed: FILE_NOT_FOUND is a path that is not there, in %s',
      async tool => {
        expect(await codeOf(tool, { filePath: 'none', line: 1 })).toBe('FILE_NOT_FOUND')
      },
    )

    it.each(['secret/key', '../outside', '/etc/passwd'])(
      'printed: PERMISSION_DENIED is restricted access to %s',
      async filePath => {
        expect(await codeOf('read_file', { filePath })).toBe('PERMISSION_DENIED')
      },
    )

    it('printed: BINARY_FILE is a file that is no text', async () => {
      expect(await codeOf('read_file', { filePath: 'data.bin' })).toBe('BINARY_FILE')
    })

    it('printed: TOO_LARGE is a file above 10MB, and not one of 10MB', async () => {
      expect(await codeOf('read_file', { filePath: 'more.txt' })).toBe('TOO_LARGE')
      expect((await call('read_file', { filePath: 'most.txt' })).data.fileSize).toBe(MOST)
    })
  })

  describe('LSP Errors', () => {
    it('printed: FUNCTION_NOT_FOUND is a symbol that is not in the file', async () => {
      const parameters = { functionName: 'run', filePath: 'chain.kt' }
      expect(await codeOf('find_callers_of_function', parameters)).toBe('FUNCTION_NOT_FOUND')
    })

    it('printed: LSP_UNAVAILABLE is a language whose server does not run', async () => {
      const parameters = { functionName: 'nothing', filePath: 'notes.txt' }
      expect(await codeOf('find_callers_of_function', parameters)).toBe('LSP_UNAVAILABLE')
    })

    served('printed: TIMEOUT is a server that does not answer in its time', async () => {
      const server = { language: 'fake', command: process.execPath, args: ['server.mjs'], extensions: ['fake'] }
      const program = readFileSync(join(import.meta.dirname, '../../code/fakes/server.mjs'), 'utf8')
      await using hanging = await rigWith(
        { 'server.mjs': program, 'mode.txt': 'references once', 'a.fake': 'fn main\n  main()\n' },
        { languageServers: [server], timeouts: { 'debug-assistant/*': 5_000 } },
      )
      const parameters = { functionName: 'main', filePath: 'a.fake' }
      expect(await hanging.call('find_callers_of_function', parameters)).toStrictEqual(
        failure('TIMEOUT', expect.stringContaining("'fake'")),
      )
    })
  })
})

describe('Validation Rules', () => {
  describe('Runtime Validation (Zod)', () => {
    class Half extends ToolBase {
      readonly name = 'half'
      readonly description = 'Halve a number.'
      readonly parameters = z.object({ number: z.number() })
      readonly seen: unknown[] = []

      protected override async executeInternal(params: z.infer<this['parameters']>): Promise<ToolResult> {
        this.seen.push(params)
        return { success: true, data: params.number / 2 }
      }
    }

    it('printed: wrong parameters give INVALID_PARAMETERS with the message of Zod, and nothing is executed', async () => {
      const half = new Half()
      const message = half.parameters.safeParse({ number: 'one' }).error?.message
      expect(await half.execute({ number: 'one' })).toStrictEqual({
        success: false,
        error: { code: 'INVALID_PARAMETERS', message },
      })
      expect(half.seen).toEqual([])
    })

    it('printed: right parameters are handed to executeInternal as Zod gives them', async () => {
      const half = new Half()
      expect(await half.execute({ number: 4, more: 1 })).toStrictEqual({ success: true, data: 2 })
      expect(half.seen).toEqual([{ number: 4 }])
    })

    it('printed: execute takes anything and promises a ToolResult', () => {
      expectTypeOf<ToolBase['execute']>().toEqualTypeOf<(rawParams: unknown) => Promise<ToolResult>>()
      expect(new Half().execute({})).toBeInstanceOf(Promise)
    })
  })

  describe('Contract Testing', () => {
    const project = useProject({ 'test.ts': 'export const one = 1\n' })
    beforeEach(() => {
      const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project.cwd)
      return () => cwd.mockRestore()
    })

    it('printed: the first test of ReadFileTool passes', async () => {
      const result = await ReadFileTool.execute({ filePath: 123 })
      expect(result.success).toBe(false)
      expect(result.error?.code).toBe('INVALID_PARAMETERS')
    })

    it('printed: the second test of ReadFileTool passes', async () => {
      const result = await ReadFileTool.execute({ filePath: 'test.ts' })
      expect(result).toHaveProperty('success', true)
      for (const field of ['filePath', 'content', 'lineCount']) expect(result.data).toHaveProperty(field)
    })
  })
})

describe('Schema Evolution', () => {
  describe('Adding New Parameters (Non-Breaking)', () => {
    it('printed: nothing has to be given but what the document names', () => {
      expect(debugAssistant.tools.map(({ name }) => schemaOf(name).required)).toEqual([
        ['filePath'],
        ['query'],
        ['filePath', 'line'],
        ['functionName', 'filePath'],
        ['query'],
      ])
    })

    it('printed: every tool has a version', () => {
      for (const { version } of debugAssistant.tools) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    })
  })
})

describe('LLM System Prompt Integration', () => {
  const prompt = debugAssistant.prompts?.['system']?.() ?? ''
  const [, tools = '', usage = ''] = /^AVAILABLE TOOLS:\n(.*)\n\nUSAGE FORMAT:\n(.*)$/s.exec(prompt) ?? []

  it('printed: every tool is among AVAILABLE TOOLS, with its description and parameters', () => {
    expect(Object.entries(JSON.parse(tools))).toEqual(
      debugAssistant.tools.map(({ name, description }) => [
        name,
        {
          description,
          parameters: Object.fromEntries(Object.keys(schemaOf(name).properties).map(key => [key, expect.any(String)])),
        },
      ]),
    )
  })

  it.each([
    ['filePath', 'string (required) - Relative path from workspace root'],
    ['lineStart', 'number (optional) - Starting line'],
    ['lineEnd', 'number (optional) - Ending line'],
  ])('printed: the line of %s says its type, whether it is required, and what it is', (name, line) => {
    expect(JSON.parse(tools).read_file.parameters[name]).toContain(line)
  })

  it('printed: USAGE FORMAT is an object with tool and parameters', () => {
    expect(usage).toBe('{\n  "tool": "tool_name",\n  "parameters": { ... }\n}\n')
  })

  it('printed: a call in that format is understood', () => {
    const parameters = { filePath: 'notes.txt' }
    expect(readCallLine(JSON.stringify({ tool: 'read_file', parameters }))).toEqual({
      tool: 'read_file',
      input: parameters,
    })
  })
})
