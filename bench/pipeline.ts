import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { toolwright } from '../src/contracts/toolwright/contract.ts'
import { defineTool } from '../src/engines/engines.ts'
import { createReadTool } from '../src/surfaces/library/sage/tools.ts'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import type { Bench, Row } from './bench.ts'
import { demandSame } from './demand-same.ts'
import { interleave, median, quantile } from './sample.ts'

const CALLS = 20_000
const WARM_UP = 5_000
const KILOBYTE = 'The quick brown fox jumps over it\n'.repeat(30).padEnd(1023, '.') + '\n'

const noop = defineTool({
  name: 'noop',
  version: '1.0.0',
  description: 'Does nothing.',
  input: z.strictObject({}),
  output: z.strictObject({ done: z.boolean() }),
  effects: [],
  claims: () => [],
  run: () => ({ done: true }),
  examples: [],
})

/** What a call costs beyond the system calls that it makes anyway. */
export const pipeline: Bench = {
  about: 'one call around a tool that does nothing, and around a read of 1 kB, beside the raw system calls',
  async run() {
    await using workspace = temporaryWorkspace({ 'src/file.txt': KILOBYTE })
    const kit = await workspace.open({ contract: { ...toolwright, tools: [...toolwright.tools, noop] } })
    // The library opens the state of its user: here that of the temporary workspace.
    Object.assign(process.env, workspace.env)
    const sageRead = createReadTool()
    const path = join(workspace.path, 'src/file.txt')

    // The same bytes that a call appends to the journal, appended to a file by nothing but the system call.
    await kit.call('noop', {})
    const record = lastLine(kit.state.journal)
    const raw = openSync(join(workspace.base, 'raw'), constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)
    const write = () => writeSync(raw, record)

    const rawFile = () => {
      demandSame('raw read', rawRead(path), KILOBYTE)
      write()
    }
    const noopCall = async () => demandSame('noop', Object(await kit.call('noop', {})).data?.done, true)
    const read = async () =>
      demandSame('read', Object(await kit.call('read', { path: 'src/file.txt' })).data?.content, KILOBYTE)
    const sage = async () => {
      const { data } = await sageRead.execute({ file: 'src/file.txt' }, { cwd: workspace.path })
      demandSame('sage Read', data?.content, KILOBYTE)
    }
    const often = { rounds: CALLS, warmUp: WARM_UP }
    const samples = {
      ...(await interleave({ 'write, raw': write, 'noop, pipeline': noopCall }, often)),
      ...(await interleave({ 'read, raw': rawFile, 'read, pipeline': read }, often)),
      ...(await interleave({ 'read, raw again': rawFile, 'sage Read, library': sage }, often)),
    }
    closeSync(raw)

    const rows = Object.entries(samples).map(([what, taken]): Row => ({ what, cells: microseconds(taken) }))
    const onTop = samples['noop, pipeline'].map(took => took - median(samples['write, raw']))
    const readOnTop = samples['read, pipeline'].map(took => took - median(samples['read, raw']))
    const p95 = quantile(onTop, 0.95)
    return {
      rows: [
        ...rows,
        { what: 'noop, on top of the write', cells: microseconds(onTop) },
        { what: 'read, on top of open, fstat, read, close and the write', cells: microseconds(readOnTop) },
      ],
      notes: [
        `${CALLS} calls each, in turn with the raw ones before it, after ${WARM_UP} for warming up; journal records written, syncs in groups`,
        'what each answered was compared with the content of the file',
      ],
      goals: [
        {
          what: 'the whole pipeline around a tool that does nothing, p95 on top of the raw write',
          limit: '< 50 µs',
          measured: `${p95.toFixed(1)} µs`,
          met: p95 < 50,
        },
      ],
    }
  },
}

const microseconds = (samples: Float64Array) => ({
  'p50 µs': quantile(samples, 0.5),
  'p95 µs': quantile(samples, 0.95),
  'p99 µs': quantile(samples, 0.99),
})

const buffer = Buffer.alloc(4096)

function rawRead(path: string): string {
  const fd = openSync(path, 'r')
  try {
    const { size } = fstatSync(fd)
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, size, 0))
  } finally {
    closeSync(fd)
  }
}

function lastLine(journal: string): string {
  const [file = ''] = readdirSync(journal).toSorted().toReversed()
  return `${readFileSync(join(journal, file), 'utf8').trimEnd().split('\n').at(-1) ?? ''}\n`
}
