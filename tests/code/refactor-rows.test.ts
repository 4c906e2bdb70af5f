// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import type { Toolkit } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { configuration } from './configuration.ts'
import { C } from './refactor-rows/c.ts'
import { PYTHON } from './refactor-rows/python.ts'
import type { Row } from './refactor-rows/row.ts'
import { TYPESCRIPT } from './refactor-rows/typescript.ts'

/** Without TOOLWRIGHT_LONG every twelfth one, the first of each kind and outcome, and the last. */
const sampled = (rows: readonly Row[]): readonly (Row & { readonly at: number })[] => {
  const kinds = rows.map(({ refactor, answer }) => `${refactor?.kind} ${answer}`)
  const isTaken = (at: number) => at % 12 === 0 || kinds.indexOf(kinds[at] ?? '') === at || at === rows.length - 1
  return rows
    .map((row, at) => ({ ...row, at }))
    .filter(({ at }) => process.env['TOOLWRIGHT_LONG'] === '1' || isTaken(at))
}

interface Listed {
  readonly id: string
  readonly text: string
}

type Answer = {
  ok: boolean
  error?: { code: string; details?: { undecided?: Listed[] } }
  data?: { occurrences: { undecided: number } }
}

type Ran = ReturnType<typeof run>

const run = (folder: string, program: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr: status === 0 ? '' : stderr }
}

function runC(folder: string) {
  const sources = readdirSync(folder).filter(name => name.endsWith('.c'))
  const made = run(folder, 'cc', ['-w', '-o', '../program', ...sources])
  const other = run(folder, 'cc', ['-w', '-DOTHER', '-o', '../other', ...sources])
  if (made.status !== 0 || other.status !== 0) return [made, other]
  return [run(folder, '../program', []), run(folder, '../other', [])]
}

interface Rows {
  readonly name: string
  readonly rows: readonly Row[]
  readonly it: ReturnType<typeof needs>
  readonly settings: Readonly<Record<string, string>>
  readonly run: (folder: string) => Ran | readonly Ran[]
}

const SETS: readonly Rows[] = [
  {
    name: 'TypeScript',
    rows: TYPESCRIPT,
    it: needs('bubblewrap'),
    settings: {
      'tsconfig.json': configuration({ allowImportingTsExtensions: true }).replace('["src"]', '["rows"]'),
      // All that the programs use of the DOM, which each server would read first.
      'rows/console.d.ts': 'declare const console: { log(...all: unknown[]): void }\n',
    },
    run: folder => run(folder, process.execPath, ['--no-warnings', '--experimental-transform-types', 'main.ts']),
  },
  {
    name: 'Python',
    rows: PYTHON,
    it: needs('bubblewrap', 'python3'),
    settings: {},
    run: folder => run(folder, 'python3', ['-B', 'main.py']),
  },
  { name: 'C', rows: C, it: needs('bubblewrap', 'clangd', 'build-essential'), settings: {}, run: runC },
]

describe.each(SETS)(
  'a program of $name runs after a refactoring as before, or that is refused',
  ({ rows, it, settings, run: ran }) => {
    let workspace: TemporaryWorkspace
    let kit: Toolkit

    beforeAll(async () => {
      const files = sampled(rows).flatMap(({ at, ...row }) =>
        Object.entries(row.files).map(([path, text]) => [`rows/r${at}/${named(path, at)}`, named(text, at)] as const),
      )
      workspace = temporaryWorkspace({ ...settings, ...Object.fromEntries(files) })
      kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    })
    afterAll(async () => workspace.remove())

    it.each(sampled(rows))('$at: $it', async row => {
      const { at } = row
      const [first = ''] = Object.keys(row.files)
      const folder = join(workspace.path, 'rows', `r${at}`)
      const ask = async (more: object = {}) =>
        (await kit.call('refactor', {
          ...(row.refactor ? JSON.parse(named(JSON.stringify(row.refactor), at)) : renamed(row, at)),
          path: `rows/r${at}/${named(first, at)}`,
          ...more,
        })) as Answer
      const [before, files] = [ran(folder), workspace.snapshot()]
      expect([before].flat().map(({ status }) => status)).not.toContain(1)
      const answer = await ask()
      expect([row.it, answer.ok, answer.error]).toEqual([
        row.it,
        row.answer === 'done',
        row.answer === 'done' ? undefined : expect.anything(),
      ])
      if (answer.ok) {
        expect(answer.data?.occurrences.undecided).toBe(0)
        expect(workspace.snapshot()).not.toEqual(files)
        expect(ran(folder)).toEqual(before)
        return
      }
      expect(answer.error?.code).toBe('conflict')
      expect(workspace.snapshot()).toEqual(files)
      const listed = answer.error?.details?.undecided ?? []
      const wanted = (row.include ?? []).map(text => named(text, at))
      for (const text of wanted)
        expect([text, listed.map(each => each.text).join('\n')]).toEqual([text, expect.stringContaining(text)])
      if (wanted.length === 0 && !row.leave) return
      const include = listed.filter(({ text }) => wanted.some(each => text.includes(each))).map(({ id }) => id)
      const decided = await ask({
        ...(include.length > 0 && { include }),
        leave: listed.map(({ id }) => id).filter(id => !include.includes(id)),
      })
      expect(decided).toMatchObject({ ok: true })
      expect(workspace.snapshot()).not.toEqual(files)
      expect(ran(folder)).toEqual(before)
    })
  },
)

const named = (text: string, at: number): string =>
  text.replaceAll('NAME', `picked${at}`).replaceAll('ROW', `rows/r${at}`)

const renamed = ({ symbol, line }: Row, at: number) => ({
  kind: 'rename',
  symbol: named(symbol, at),
  ...(line !== undefined && { line }),
  to: symbol.split('.').at(-1)?.replace('NAME', `taken${at}`),
})
