// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { readKept } from '../../src/machine/journal/kept-text.ts'
import { openPayloads } from '../../src/machine/journal/payloads.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const MIB = 1024 ** 2
const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}\n`).join('')
const ESC = '\u001b'

/** How each contract runs a line. */
const CALLS = {
  toolwright: ['run', (command: string) => ({ command, timeoutMs: 4_000 })],
  sage: ['Bash', (command: string) => ({ command })],
  'cli-agent': ['run_in_terminal', (command: string) => ({ command, timeout_seconds: 4 })],
} as const
type Id = keyof typeof CALLS
const IDS: readonly Id[] = ['toolwright', 'sage', 'cli-agent']

async function answerTo(contract: Id, command: string, commands: object = {}) {
  await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
  mkdirSync(join(workspace.base, 'config'))
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ limits: { commands } }))
  const kit = await workspace.open({ contract, permissions: ['exec', 'fs:read', 'fs:write:kept/**'] })
  const [tool, inputOf] = CALLS[contract]
  const { outcome, answer } = await kit.run(tool, inputOf(command))
  const payloads = openPayloads(kit.state.payloads)
  const text = JSON.stringify(answer)
  const kept = [...new Set([...text.matchAll(/ref:([0-9a-f]{16,})/g)].map(([, id = '']) => id))].map(id =>
    readKept(payloads, id)?.text.toString(),
  )
  return { ok: outcome.ok, text, kept, bytes: Buffer.byteLength(text) }
}

type Row = [what: string, command: string, whole: readonly string[], commands?: object | undefined]

const LONG = lines(300_000)
const WIDE = 'ü😀'.repeat(300_000)

const it = needs('bubblewrap')

describe('output that is too long for an answer', () => {
  const rows: readonly Row[] = [
    ['standard output of 2 MB', 'seq 300000', [LONG]],
    ['standard error', 'seq 300000 >&2', [LONG]],
    [
      'both streams',
      'seq 300000; seq 299999 | tac >&2',
      [LONG, lines(299_999).split('\n').toReversed().join('\n').slice(1) + '\n'],
    ],
    ['one line without an end', "head -c 3000000 /dev/zero | tr '\\0' x", ['x'.repeat(3_000_000)]],
    ['a byte more than fits', `head -c ${MIB + 1} /dev/zero | tr '\\0' x`, ['x'.repeat(MIB + 1)]],
    ['characters of several bytes', 'yes "ü😀" | head -n 300000 | tr -d "\\n"', [WIDE]],
    ['a command that fails', 'seq 300000; exit 3', [LONG]],
    ['a command that a signal ends', 'seq 300000; kill -9 $$', [LONG]],
    ['a command that ran out of time', 'seq 300000; sleep 60', [LONG], { timeoutMs: 3_000 }],
    ['a command that used too much time', 'seq 300000; while :; do :; done', [LONG], { cpuSeconds: 2 }],
    ['a command that printed too much', 'yes', ['y\n'.repeat(MIB)], { outputBytes: 2 * MIB }],
    ['a command that wrote too large a file', 'seq 300000; head -c 9000 /dev/zero > kept', [LONG], { fileBytes: 5000 }],
    ['a command whose change is refused', 'seq 300000; echo two > a.txt', [LONG]],
    [
      'long output with colours',
      `seq 300000 | sed "s/^/$(printf '\\033')[31m/"`,
      [LONG.replaceAll(/^(?=\d)/gm, `${ESC}[31m`)],
    ],
  ]
  describe.each(IDS)('%s', contract => {
    it.each<Row>(rows)(
      'SG-17, CA-10: %s is stored whole, and the answer says where',
      async (_what, command, whole, commands) => {
        const { text, kept, bytes } = await answerTo(contract, command, commands)
        for (const each of whole) expect(kept.includes(each)).toBe(true)
        expect(text).toMatch(/… \d+ more bytes in ref:[0-9a-f]+/)
        expect(bytes).toBeLessThan(whole.length * 3 * MIB)
      },
    )
  })

  it.each(IDS)('SG-17: %s shows what fits as it is, without a reference', async contract => {
    for (const command of ['seq 1000', 'seq 2000; echo why >&2', 'true']) {
      const { text, kept } = await answerTo(contract, command)
      expect(kept).toEqual([])
      expect(text).not.toContain('more bytes')
    }
  })

  it('SG-17, SG-10: Read reads what Bash left out', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ contract: 'sage', permissions: ['exec', 'fs:read'] })
    const { ok, meta, data } = Object(await kit.call('Bash', { command: 'seq 300000' }))
    expect([ok, meta.warnings]).toEqual([
      true,
      [
        expect.stringMatching(
          /^Standard output is long: \d+ of its 1988895 bytes are left out; read ref:\w+ for all of it$/,
        ),
      ],
    ])
    const [, left, file] = /\n… (\d+) more bytes in (ref:\w+)\n/.exec(data.stdout) ?? []
    expect(Number(left)).toBe(LONG.length - data.stdout.replace(/\n….*\n/, '\n').length)
    expect(await kit.call('Read', { file, offset: 150_000, limit: 2 })).toMatchObject({
      data: { content: '150000\n150001\n' },
    })
  })

  it('CA-10: read_file reads what run_in_terminal left out, and terminal_last_command names it', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ contract: 'cli-agent', permissions: ['exec', 'fs:read'] })
    const { success, output } = Object(await kit.call('run_in_terminal', { command: 'seq 300000' }))
    expect([success, output]).toEqual([
      true,
      expect.stringMatching(/\nWarning: Standard output is long: .*ref:\w+ for all of it$/),
    ])
    const path = /more bytes in (ref:\w+)/.exec(output)?.[1]
    const read = Object(await kit.call('read_file', { path, start_line: 150_000, end_line: 150_001 }))
    expect(read.output).toContain('150000\n150001')
    expect(Object(await kit.call('terminal_last_command', {})).output).toContain(`more bytes in ${path}`)
  })
})
