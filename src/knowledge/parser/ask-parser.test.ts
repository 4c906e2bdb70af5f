import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ownProgram } from '../../machine/own-program.ts'
import { askParser, type ParserJob } from './ask-parser.ts'
import { frameOf, frameReader } from './frames.ts'

const text = (content: string) => Buffer.from(content)

describe('the processes that parse', () => {
  it('give long answers whole', { timeout: 60_000 }, async () => {
    const content = text(Array.from({ length: 1500 }, (_, at) => `export function f${at}() { return 1 }\n`).join(''))
    const heard = await askParser({ job: 'code', path: 'a.ts', content })
    expect(heard).toMatchObject({ value: { symbols: { length: 1500 } } })
  })

  it('parse a text once, however often it is asked about', { timeout: 60_000 }, async () => {
    const job = { job: 'code', path: 'a.ts', content: text('export const asked = 1') } as const
    const [first, second] = await Promise.all([askParser(job), askParser(job)])
    expect(second).toBe(first)
    expect(await askParser(job)).toBe(first)
    expect(await askParser({ ...job, path: 'b.ts' })).not.toBe(first)
  })

  it('say that a text is nested too deeply, and go on with others', { timeout: 60_000 }, async () => {
    const deep = text(`export const a = ${'('.repeat(3000)}1${')'.repeat(3000)}`)
    expect(await askParser({ job: 'facts', path: 'a.ts', content: deep })).toEqual({ failed: 'nesting' })
    const shallow = await askParser({ job: 'facts', path: 'a.ts', content: text('export const a = 1') })
    expect(shallow).toMatchObject({ value: { facts: { exports: ['a'] } } })
  })

  it('read chains that are longer than the stack of a program', { timeout: 60_000 }, async () => {
    const chain = text(`export const a = 1${'+1'.repeat(50_000)}`)
    expect(await askParser({ job: 'facts', path: 'a.ts', content: chain })).toMatchObject({
      value: { facts: { exports: ['a'] } },
    })
  })

  it('read them too where the limit of the stack cannot be raised', { timeout: 60_000 }, async () => {
    const content = text(`export const a = 1${'+1'.repeat(50_000)}`)
    const child = spawn(process.execPath, [ownProgram('parser')], { stdio: ['pipe', 'pipe', 'ignore'] })
    try {
      const heard = new Promise(resolve => child.stdout.on('data', frameReader(resolve)))
      const message: ParserJob = { job: 'facts', path: 'a.ts', content }
      for (const frame of [{ settings: {} }, { message }]) child.stdin.write(frameOf(frame))
      expect(await heard).toMatchObject({ answer: { value: { facts: { exports: ['a'] } } } })
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('refuse a tree that others could not walk', { timeout: 60_000 }, async () => {
    const chain = text(`export const a = 1${'+1'.repeat(50_000)}`)
    expect(await askParser({ job: 'module', path: 'a.ts', content: chain })).toEqual({ failed: 'nesting' })
  })
})
