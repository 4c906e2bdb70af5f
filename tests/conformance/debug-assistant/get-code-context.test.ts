import { describe, expect, it } from 'vitest'
import { failure, rigWith } from './rig.ts'

const LINES = Array.from({ length: 200 }, (_, at) => `  step(${at + 3})`)
const LONG = `import { step, other } from './step.ts'\nexport function run(\n  count: number,\n): void {\n${LINES.join('\n')}\n}\n`

describe('get_code_context', () => {
  it('DA-06: gives the code around a line, the whole function that it stands in, and the imports that it uses', async () => {
    await using rig = await rigWith({ 'src/run.ts': LONG })
    const lines = LONG.split('\n')
    expect(await rig.call('get_code_context', { filePath: 'src/run.ts', line: 100 })).toStrictEqual({
      success: true,
      data: {
        filePath: 'src/run.ts',
        errorLine: 100,
        context: {
          before: lines.slice(49, 99).join('\n'),
          errorLine: lines[99],
          after: lines.slice(100, 150).join('\n'),
        },
        functionDefinition: {
          name: 'run',
          startLine: 2,
          endLine: 205,
          signature: expect.stringMatching(/^export function run\( ?count: number,? ?\): void$/),
        },
        relevantImports: [{ module: './step.ts', imported: ['step'], line: 1 }],
      },
    })
  })

  it('DA-06: contextLines is from 5 to 100, and the function can be left out', async () => {
    await using rig = await rigWith({ 'src/run.ts': LONG })
    const call = async (more: object) =>
      Object(await rig.call('get_code_context', { filePath: 'src/run.ts', line: 100, ...more }))
    const { data } = await call({ contextLines: 5, includeFunctionDef: false })
    expect(data.context.before.split('\n')).toHaveLength(5)
    expect(data).not.toHaveProperty('functionDefinition')
    expect((await call({ contextLines: 100 })).data.context.before.split('\n')).toHaveLength(99)
    for (const contextLines of [4, 101]) expect((await call({ contextLines })).error.code).toBe('INVALID_PARAMETERS')
  })

  it('DA-06: names a missing file and a line that is not there', async () => {
    await using rig = await rigWith({ 'src/run.ts': 'one()\n' })
    const call = (filePath: string, line: number) => rig.call('get_code_context', { filePath, line })
    expect(await call('src/none.ts', 1)).toStrictEqual(
      failure('FILE_NOT_FOUND', "File 'src/none.ts' does not exist in workspace"),
    )
    expect(await call('src/run.ts', 2)).toStrictEqual(failure('LINE_OUT_OF_RANGE', expect.stringContaining('1 lines')))
    expect(await call('src/run.ts', 0)).toMatchObject({ error: { code: 'INVALID_PARAMETERS' } })
  })
})
