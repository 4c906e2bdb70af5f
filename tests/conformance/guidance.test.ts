import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createEditTool,
  createReadTool,
  createWriteTool,
  defineTool,
  superconnect,
  type ToolContext,
} from '../../src/contracts.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { useProject } from './directory.ts'
import { FILES } from './superconnect/world.ts'

const project = useProject({ 'src/a.ts': 'export const a = 1\n' })
const all = (more: Partial<ToolContext> = {}): ToolContext => ({
  cwd: project.cwd,
  permissions: ['fs:read', 'fs:write'],
  ...more,
})

describe('what a failure says to do next', () => {
  it('SG-x1: EVALIDATION names the parameter and those that there are', async () => {
    const { error } = await createReadTool().execute(JSON.parse('{"file":1}'), all())
    expect(error).toMatchObject({
      code: 'EVALIDATION',
      message: expect.stringMatching(/'file'.*Parameters of Read: file/),
    })
  })

  it('SG-x1: EPERMISSION names the permission and where to grant it', async () => {
    const { error } = await createWriteTool().execute({ file: 'b.ts', content: '' }, { cwd: project.cwd })
    expect(error).toMatchObject({
      code: 'EPERMISSION',
      message: expect.stringMatching(/fs:write:b\.ts: add it to the permissions/),
    })
  })

  it.each([
    [
      'a file that is not there',
      () => createReadTool().execute({ file: 'nope' }, all()),
      /'nope' does not exist\. List /,
    ],
    ['a directory', () => createReadTool().execute({ file: 'src' }, all()), /'src' is a directory\. Name a file in it/],
    [
      'a patch whose lines are not there',
      () => createEditTool().execute({ file: 'src/a.ts', patch: '@@ -1 +1 @@\n-gone\n+new\n' }, all()),
      /src\/a\.ts.*\. \S+/,
    ],
  ])('SG-x1: ERUNTIME for %s says what to do', async (_case, call, said) => {
    expect((await call()).error).toMatchObject({ code: 'ERUNTIME', message: expect.stringMatching(said) })
  })

  it('SG-x1: ETIMEOUT and EQUOTA name the limit and how to raise it', async () => {
    const slow = defineTool({
      name: 'Slow',
      description: 'Never ends',
      parameters: z.object({}),
      timeoutMs: 50,
      implementation: () => new Promise(() => {}),
    })
    expect((await slow.execute({}, all())).error).toMatchObject({
      code: 'ETIMEOUT',
      message: expect.stringMatching(/longer than 0\.05 s\. Request less at once, or raise its timeout/),
    })
    const quotas = { fileBytes: 10 }
    const { error } = await createWriteTool().execute({ file: 'b', content: 'x'.repeat(11) }, all({ quotas }))
    expect(error).toMatchObject({
      code: 'EQUOTA',
      message: expect.stringMatching(/11 bytes, more than 10 bytes.*or raise fileBytes in the quotas/),
    })
  })

  it.each([
    [
      'queryIndex',
      { query: { type: 'export', value: 'Button' } },
      'INVALID_QUERY_TYPE',
      /exports.*tag.*pathPrefix.*listAll/,
    ],
    ['queryIndex', { query: { type: 'tag' } }, 'MISSING_VALUE', /value/],
    ['queryIndex', { query: { type: 'listAll' }, limit: 201 }, 'LIMIT_EXCEEDED', /200/],
    ['queryIndex', {}, 'INVALID_PARAMETERS', /query/],
    ['readFile', { path: '../x' }, 'INVALID_PATH', /relative to the repository root, without \.\.\//],
    ['readFile', { path: 'gone.ts' }, 'FILE_NOT_FOUND', /gone\.ts/],
    ['listFiles', { directory: 'gone' }, 'DIRECTORY_NOT_FOUND', /gone/],
  ])('SC-x1: %s %j is %s, with what is wrong or accepted', async (tool, input, code, said) => {
    await using workspace = temporaryWorkspace(FILES)
    const kit = await workspace.open({ contract: 'superconnect' })
    expect(await kit.call(tool, input)).toMatchObject({ error: { code, message: expect.stringMatching(said) } })
  })

  it.each(['react', 'angular'])('SC-x2: the %s prompt says to log an error, to retry and when to fail', framework => {
    const text = superconnect.prompts?.[framework]?.() ?? ''
    const steps = [
      'Check for `error` in every answer',
      'Log its code and message',
      'Retry with adjusted',
      'unrecoverable',
    ]
    const places = steps.map(step => text.indexOf(step))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places[0]).toBeGreaterThan(0)
  })
})
