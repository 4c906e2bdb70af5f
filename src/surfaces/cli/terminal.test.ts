import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'toolwright-output-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const OUTPUT = new URL('terminal.ts', import.meta.url)
/** Runs a script with the standard output of a command, which says on standard error when the stream is opened. */
const script = (body: string): readonly string[] => [
  '--input-type=module',
  '-e',
  `const { outputTo } = await import(${JSON.stringify(OUTPUT)})
   const open = () => { console.error('opened'); return process.stdout }
   ${body}`,
]
const run = (body: string, stdout: 'pipe' | number = 'pipe') =>
  spawnSync(process.execPath, script(body), { stdio: ['ignore', stdout, 'pipe'], encoding: 'utf8' })

describe('the output of a command', () => {
  it('is written to a pipe and to a file without the stream, in order, as text and bytes', () => {
    const body =
      "const output = outputTo(1, open); output.write('one é…\\n'); output.write(Buffer.from([104, 105, 10]))"
    expect(run(body)).toMatchObject({ stdout: 'one é…\nhi\n', stderr: '', status: 0 })
    const file = join(folder, 'out.txt')
    expect(run(body, openSync(file, 'w'))).toMatchObject({ stderr: '', status: 0 })
    expect(readFileSync(file, 'utf8')).toBe('one é…\nhi\n')
  })

  it('goes to the stream where it is a device, such as a terminal', () => {
    expect(run("outputTo(1, open).write('gone')", openSync('/dev/null', 'w'))).toMatchObject({ stderr: 'opened\n' })
  })

  it('is whole where another process has set the pipe not to wait and nobody reads for a while', async () => {
    const body = `process.stdout
      const output = outputTo(1, open)
      for (let at = 0; at < 10; at += 1) output.write(String(at).repeat(100_000))`
    const child = spawn(process.execPath, script(body), { stdio: ['ignore', 'pipe', 'pipe'] })
    const said = text(child.stderr)
    await setTimeout(500)
    const written = await text(child.stdout)
    expect(written).toBe(Array.from({ length: 10 }, (_, at) => String(at).repeat(100_000)).join(''))
    expect(await said).toBe('opened\n')
  })

  it('ends the process without a failure when its reader has gone', async () => {
    const body = `const output = outputTo(1, open)
      process.on('exit', () => console.error('ended'))
      setInterval(() => output.write('more\\n'), 5)`
    const child = spawn(process.execPath, script(body), { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await text(child.stderr)).toBe('ended\n')
    expect(child.exitCode ?? (await new Promise(resolve => child.once('exit', resolve)))).toBe(0)
  })
})
