import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { openPayloads } from '../../src/machine/journal/payloads.ts'
import { fakePerson, temporaryWorkspace } from '../../src/testing/index.ts'

/** Prints bytes of a terminal in pieces, each after a line of input. */
const PROGRAM = String.raw`printf '\033[31mred\033[0m a\0b\n\033[3'
read x; printf '2mgreen\033[0m \303'
read x; printf '\274\n'
read x; printf 'end\033['`

describe('the output of a background command', () => {
  it('is plain text, whole sequences and characters, with the bytes under a reference', async () => {
    await using workspace = temporaryWorkspace()
    execFileSync('git', ['init', '-q'], { cwd: workspace.path })
    const kit = await workspace.open({ permissions: ['exec'], approve: fakePerson('yes') })
    const run = async (input: object) => (await kit.run('run', input)).outcome
    const started = await run({ command: PROGRAM, background: true })
    const handle = String(Object(started.ok && started.data).handle)
    const offset = async () => {
      const polled = await run({ handle })
      expect(polled).toMatchObject({ ok: true, data: { stdout: '' } })
      return Object(polled.ok && polled.data).offset
    }
    const read = async (since: number) => {
      const { meta, ...answer } = await run({ handle, action: 'read', since })
      expect(answer.ok).toBe(true)
      const { stdout, offset: next } = Object('data' in answer && answer.data)
      const [, id] =
        /^The output is shown as plain text; its bytes are in ref:(\w+)$/.exec(meta.warnings?.[0] ?? '') ?? []
      return { stdout, next, raw: id === undefined ? undefined : openPayloads(kit.state.payloads).get(id)?.toString() }
    }
    const first = '\x1b[31mred\x1b[0m a\0b\n'
    await expect.poll(offset).toBe(first.length)
    const one = await read(0)
    expect(one).toMatchObject({ stdout: 'red a␀b\n', next: first.length })
    expect(one.raw?.endsWith(`\n${first}`)).toBe(true)

    await run({ handle, action: 'write', input: '\n' })
    const second = '\x1b[32mgreen\x1b[0m '
    await expect.poll(offset).toBe(first.length + second.length)
    expect(await read(one.next)).toMatchObject({ stdout: 'green ', next: first.length + second.length })

    await run({ handle, action: 'write', input: '\n' })
    await expect.poll(offset).toBe(first.length + second.length + 3)
    expect(await read(first.length + second.length)).toMatchObject({ stdout: 'ü\n', raw: undefined })

    await run({ handle, action: 'write', input: '\n' })
    await expect.poll(async () => Object(Object(await run({ handle })).data).running).toBe(false)
    expect(await read(first.length + second.length + 3)).toMatchObject({ stdout: 'end' })
  })
})
