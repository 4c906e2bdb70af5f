// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { cardText } from '../../src/surfaces/card-text.ts'
import { shortCard } from '../../src/surfaces/mcp/short-card.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

/** What is there before: two scripts that only their owner may write, and a file that only its owner may read. */
const BEFORE: Readonly<Record<string, number>> = { 'run.sh': 0o755, 'plain.txt': 0o644, 'own.txt': 0o600 }

/** A command, and the bits that it leaves: a path without bits is gone. */
const ROWS: readonly (readonly [string, Readonly<Record<string, number | undefined>>])[] = [
  ['chmod 777 run.sh', { 'run.sh': 0o777 }],
  ['chmod 777 plain.txt', { 'plain.txt': 0o777 }],
  ['chmod 700 run.sh', { 'run.sh': 0o700 }],
  ['chmod 700 plain.txt', { 'plain.txt': 0o700 }],
  ['chmod 775 plain.txt', { 'plain.txt': 0o775 }],
  ['chmod 666 plain.txt', { 'plain.txt': 0o666 }],
  ['chmod 000 plain.txt', { 'plain.txt': 0o000 }],
  ['chmod a+rwx own.txt', { 'own.txt': 0o777 }],
  ['chmod o+w own.txt', { 'own.txt': 0o602 }],
  ['echo two > plain.txt; chmod 777 plain.txt', { 'plain.txt': 0o777 }],
  ['echo new > new.sh; chmod 777 new.sh', { 'new.sh': 0o777 }],
  ['echo new > new.sh; chmod 700 new.sh', { 'new.sh': 0o700 }],
  ['echo new > new.sh; chmod 775 new.sh', { 'new.sh': 0o775 }],
  ['umask 0; echo new > new.txt', { 'new.txt': 0o666 }],
  ['umask 077; echo new > new.txt', { 'new.txt': 0o600 }],
  ['touch empty; chmod 711 empty', { empty: 0o711 }],
  ["printf 'a\\0b' > binary; chmod 777 binary", { binary: 0o777 }],
  ['mv run.sh moved.sh; chmod 777 moved.sh', { 'run.sh': undefined, 'moved.sh': 0o777 }],
  ['install -m 777 run.sh copy.sh', { 'copy.sh': 0o777 }],
  ['mkdir -m 777 open', { open: 0o777 }],
  ['mkdir -m 777 open; echo in > open/file', { open: 0o777, 'open/file': 0o644 }],
  ['mkdir -m 700 own', { own: 0o700 }],
  ['rm plain.txt; mkdir -m 775 plain.txt', { 'plain.txt': 0o775 }],
]

/** What the command changes is asked about, and not the command. */
const ALLOWED = { policy: { defaults: { exec: 'allow' } } }

describe('the bits that a person is shown are those that land, and undo restores those from before', () => {
  it.each(ROWS)('%s', async (command, after) => {
    await using workspace = repository({ 'run.sh': 'echo\n', 'plain.txt': 'one\n', 'own.txt': 'own\n' })
    for (const [path, mode] of Object.entries(BEFORE)) chmodSync(join(workspace.path, path), mode)
    const start = workspace.snapshot()
    mkdirSync(join(workspace.base, 'config'))
    writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(ALLOWED))
    const cards: string[] = []
    const kit = await workspace.open({
      approve({ card }) {
        cards.push(cardText(card).text, `${shortCard(card).message} ${shortCard(card).details}`)
        return { answer: 'yes', by: 'a person' }
      },
    })
    const run = async (tool: string, input: object, call: object = {}): Promise<Outcome> =>
      (await kit.run(tool, input, call)).outcome

    const dry = await run('run', { command }, { dryRun: true })
    expect(workspace.snapshot()).toEqual(start)
    expect(cards).toEqual([])
    const landed = await run('run', { command })
    expect(bitsOf(workspace, after)).toEqual(after)
    expect(cards).toHaveLength(2)
    const bits = Object.values(after).map(mode => mode?.toString(8).padStart(3, '0'))
    for (const shown of [dry.meta.diff ?? '', ...cards]) {
      expect(bits.filter(each => each !== undefined && !shown.includes(each))).toEqual([])
      for (const [said = ''] of shown.matchAll(/(?<=new (?:file )?mode 100)\d{3}/g)) expect(bits).toContain(said)
    }

    const there = workspace.snapshot()
    const undone = await run('undo', { id: landed.meta.undo })
    expect(workspace.snapshot()).toEqual(start)
    expect(await run('undo', { id: undone.meta.undo })).toMatchObject({ ok: true })
    expect(workspace.snapshot()).toEqual(there)
  })
})

const bitsOf = ({ path }: TemporaryWorkspace, after: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.keys(after).map(name => {
      const stats = lstatSync(join(path, name), { throwIfNoEntry: false })
      return [name, stats && stats.mode & 0o7777]
    }),
  )
