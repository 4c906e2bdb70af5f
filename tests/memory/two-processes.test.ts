import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openEmbeddedStore } from '../../src/knowledge/memory/embedded/embedded-store.ts'
import { wordEmbedder } from './word-embedder.ts'

const LASTS_MS = process.env['TOOLWRIGHT_LONG'] === '1' ? 60_000 : 4_000
const never = new AbortController().signal

interface Child {
  readonly process: ChildProcess
  /** What it has said so far, line by line; a last line that was cut off does not count. */
  lines(): readonly string[]
}

function start(file: string, name: string): Child {
  const program = join(import.meta.dirname, 'store-child.ts')
  const child = spawn(process.execPath, [program, file, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (text: Buffer) => (said += text.toString()))
  return { process: child, lines: () => said.split('\n').slice(0, -1) }
}

const ended = async ({ process: child }: Child, signal: NodeJS.Signals): Promise<void> => {
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
}

it('two processes write and search at once, one killed again and again: nothing acknowledged is lost', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-two-'))
  const file = join(directory, 'fixes.sqlite')
  try {
    const steady = start(file, 'steady')
    const killed: Child[] = []
    for (const until = Date.now() + LASTS_MS; Date.now() < until || killed.length < 4;) {
      const child = start(file, `killed${killed.length}`)
      killed.push(child)
      // Killed at a different point of its work each time, once it works.
      await expect.poll(() => child.lines().length, { interval: 5 }).toBeGreaterThan(2)
      await setTimeout((killed.length * 37) % 150)
      await ended(child, 'SIGKILL')
    }
    await ended(steady, 'SIGTERM')

    const lines = [steady, ...killed].flatMap(child => child.lines())
    const named = (word: string) =>
      lines.filter(line => line.startsWith(`${word} `)).map(line => line.slice(word.length + 1))
    expect(named('lost')).toEqual([])
    expect(killed.length).toBeGreaterThan(2)
    const removed = new Set(named('removed'))
    const acknowledged = named('stored').filter(id => !removed.has(id))
    expect(acknowledged.length).toBeGreaterThan(20)

    const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact: text => text })
    const { fixes } = await store.list({ limit: 1_000_000 }, never)
    const ids = new Set(fixes.map(({ id }) => id))
    // A removal that was under way when its process was killed may have been done.
    const undone = new Set(killed.flatMap(child => openRemoval(child.lines())))
    expect(acknowledged.filter(id => !ids.has(id) && !undone.has(id))).toEqual([])
    expect([...removed].filter(id => ids.has(id))).toEqual([])
    expect((await store.doctor(never)).filter(({ ok }) => !ok)).toEqual([])
    await store.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

/** The fix that a process was about to remove when it had said this. */
function openRemoval(lines: readonly string[]): readonly string[] {
  const [, name = '', at = ''] = /^stored (\w+)-(\d+)$/.exec(lines.at(-1) ?? '') ?? []
  return Number(at) % 5 === 4 ? [`${name}-${Number(at) - 2}`] : []
}
