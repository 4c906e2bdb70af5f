// oxlint-disable vitest/no-standalone-expect -- what `needs` gives is an `it`, which the rule does not see
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tools, type Tool } from '../../../src/documents/cli-agent.ts'
import { needs } from '../../needs.ts'
import { useProject } from '../directory.ts'

const project = useProject({ 'a.txt': 'one\ntwo\n' })
const needsSandbox = needs('bubblewrap')
const at = (path: string): string => join(project.cwd, path)
const toolNamed = (name: string): Tool => {
  const tool = tools.find(one => one.name() === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return tool
}

describe('the tools in the form of the Universal Tool Interface', () => {
  it('CA-01: each says its name, description, schema, risk and whether it needs approval', () => {
    expect(tools.map(tool => tool.name())).toHaveLength(10)
    const create = toolNamed('create_file')
    expect(create.description()).toBe('Create a new file with specified content')
    expect(create.parametersSchema()).toMatchObject({ type: 'object', required: ['path', 'content'] })
    expect([create.riskLevel(), create.requiresApproval()]).toEqual(['safe_write', true])
    const read = toolNamed('read_file')
    expect([read.riskLevel(), read.requiresApproval()]).toEqual(['read_only', false])
  })

  it.each([
    ['create_file', { path: 'new.txt' }, 'invalid_parameters'],
    ['create_file', { path: 'a.txt', content: '' }, 'file_exists'],
    ['create_file', { path: '../out.txt', content: '' }, 'path_outside_working_dir'],
    ['read_file', { path: 'none.txt' }, 'file_not_found'],
    ['read_file', { path: 'a.txt', start_line: 30, end_line: 40 }, 'line_range_invalid'],
    ['replace_string_in_file', { path: 'a.txt', old_string: 'three', new_string: '' }, 'string_not_found'],
    ['run_in_terminal', { command: 'true', timeout_seconds: 301 }, 'invalid_parameters'],
    ['fetch_webpage', { url: 'ftp://example.com' }, 'invalid_parameters'],
  ])('CA-01, CA-03: validate of %s names what is wrong with %j before execute', async (name, params, code) => {
    expect(await toolNamed(name).validate(params, project.cwd)).toMatchObject({ code, message: expect.any(String) })
  })

  it('CA-01: validate accepts what execute can do, and changes and runs nothing', async () => {
    const create = toolNamed('create_file')
    const params = { path: 'new.txt', content: 'text' }
    expect(await create.validate(params, project.cwd)).toBeUndefined()
    expect(await toolNamed('run_in_terminal').validate({ command: 'touch ran.txt' }, project.cwd)).toBeUndefined()
    expect(await toolNamed('fetch_webpage').validate({ url: 'https://example.com' }, project.cwd)).toBeUndefined()
    expect([existsSync(at('new.txt')), existsSync(at('ran.txt'))]).toEqual([false, false])
    expect(await create.execute(params, project.cwd)).toMatchObject({ success: false, error: { code: 'not_approved' } })
    const asked: string[] = []
    const approve = ({ card }: { readonly card: { readonly tool: string } }) => {
      asked.push(card.tool)
      return { answer: 'yes' as const, by: 'ann' }
    }
    expect(await create.execute(params, project.cwd, { approve })).toMatchObject({
      success: true,
      output: 'Created file: new.txt (4 bytes)',
      files_affected: ['new.txt'],
    })
    expect(asked).toEqual(['cli-agent/create_file'])
    expect(readFileSync(at('new.txt'), 'utf8')).toBe('text')
  })

  it.each([
    ['does not exist', 'gone', "'%s' cannot be opened (ENOENT)"],
    ['is a file', 'a.txt', "'%s' is not a directory"],
  ])('CA-03: a working directory that %s is an error that says so, and never a throw', async (_what, name, why) => {
    const error = {
      code: 'invalid_parameters',
      message: `The working directory ${why.replace('%s', at(name))}`,
      suggestion: 'Pass the path of an existing directory',
    }
    const params = { path: 'a.txt' }
    expect(await toolNamed('read_file').validate(params, at(name))).toEqual(error)
    expect(await toolNamed('read_file').execute(params, at(name))).toMatchObject({ success: false, error })
  })

  it('CA-03: no working directory is an error that says so', async () => {
    const nothing = JSON.parse('{}')
    expect(await toolNamed('read_file').execute({ path: 'a.txt' }, nothing.workingDir)).toMatchObject({
      success: false,
      error: { code: 'invalid_parameters', message: 'The working directory is missing' },
    })
  })

  needsSandbox('CA-11: terminal_last_command retrieves what run_in_terminal executed before', async () => {
    const last = () => toolNamed('terminal_last_command').execute({}, project.cwd)
    expect(await last()).toMatchObject({ success: false, error: { code: 'no_command_history' } })
    const run = toolNamed('run_in_terminal')
    await run.execute({ command: 'echo from the document' }, project.cwd, { permissions: ['exec'] })
    expect(await last()).toMatchObject({
      success: true,
      output: 'Last command: echo from the document\nOutput: from the document\n',
      metadata: { command: 'echo from the document', exit_code: 0 },
    })
  })
})
