import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { openToolkit } from '../src/toolkit.ts'
import { times, type Bench, type Goal, type Row } from './bench.ts'
import { CALLED, callBesideRipgrep } from './called-search.ts'
import { corpora } from './corpora.ts'
import type { Question } from './peers.ts'
import { median } from './sample.ts'
import { warmResident } from './warm-resident.ts'

const SIZES = [1_000, 10_000, 60_000, 200_000] as const
/** What is rare is judged from this size to the largest: below it, a call costs more than its search. */
const FROM = 10_000
/** In one file of each tree, so that all find the same. */
const ONCE = 'onlyInThisOneFileOfAll'
const RARE = ['one line', 'rare']
const MOST_FOR_RARE = 3

const QUESTIONS: readonly (Question & { readonly what: string })[] = [{ what: 'one line', pattern: ONCE }, ...CALLED]

interface Measured {
  readonly files: number
  readonly builtMs: number
  /** By question. */
  readonly oursMs: ReadonlyMap<string, number>
  readonly ripgrepMs: ReadonlyMap<string, number>
}

/** How the times of whole calls grow with the workspace. */
export const growth: Bench = {
  about: 'whole calls of grep in 1k, 10k, 60k and 200k files, beside ripgrep',
  async run() {
    const goals: Goal[] = []
    const measured: Measured[] = []
    for (const size of SIZES) measured.push(await measure(size, goals))
    return { rows: rowsOf(measured), goals: [...goals, ...grownWith(measured)], notes: NOTES }
  },
}

const NOTES = [
  'median ms of whole calls through the library, by the process of the workspace, after a hundred or ten seconds of them; at most 1,000 lines each; rg: ripgrep in the same rounds',
  'trees of packages of medium, copied under other names, and one file with the line that is found once',
  'built: from the start of the process until it knows every file and symbol, seconds; the copies were written right before and are in memory',
]

async function measure(size: number, goals: Goal[]): Promise<Measured> {
  console.error(`${size.toLocaleString('en')} files…`)
  using tree = copiedTree(size)
  await using beside = temporaryWorkspace()
  await using stack = new AsyncDisposableStack()
  const start = performance.now()
  stack.use(await warmResident(tree.path, beside.env))
  const builtMs = performance.now() - start
  const kit = await openToolkit({ root: tree.path, env: beside.env })
  stack.defer(() => kit.close())
  const [oursMs, ripgrepMs] = [new Map<string, number>(), new Map<string, number>()]
  for (const question of QUESTIONS) {
    console.error(`  ${question.what}`)
    const what = `${tree.files.toLocaleString('en')} files: ${question.what}`
    const { ours, peer } = await callBesideRipgrep(tree.path, kit, question, what, goals)
    oursMs.set(question.what, median(ours) / 1000)
    ripgrepMs.set(question.what, median(peer) / 1000)
  }
  return { files: tree.files, builtMs, oursMs, ripgrepMs }
}

/** Packages of the medium corpus, again and again under other names, as many as fit in so many files. */
function copiedTree(most: number): Disposable & { readonly path: string; readonly files: number } {
  const [medium] = corpora(['medium'])
  if (!medium) throw new Error('There is no medium corpus')
  const packages = readdirSync(medium.path, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== '.git')
    .map(({ name }) => ({ name, files: filesBelow(join(medium.path, name)) }))
  // Beside the corpus, which is on a disk with room.
  const path = mkdtempSync(`${medium.path}-grown-`)
  using copies = new DisposableStack()
  copies.defer(() => rmSync(path, { recursive: true, force: true }))
  writeFileSync(join(path, 'once.ts'), `export const ${ONCE} = 1\n`)
  let [files, before] = [1, 0]
  for (let copy = 1; files > before; copy++) {
    before = files
    for (const { name, files: more } of packages) {
      if (files + more > most) continue
      cpSync(join(medium.path, name), join(path, `${name}-${copy}`), { recursive: true })
      files += more
    }
  }
  const made = copies.move()
  return { path, files, [Symbol.dispose]: () => made.dispose() }
}

const filesBelow = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).length

function rowsOf(measured: readonly Measured[]): readonly Row[] {
  const cells = (number: (one: Measured) => number | undefined, unit: string) =>
    Object.fromEntries(measured.map(one => [`${one.files.toLocaleString('en')}${unit}`, number(one) ?? Number.NaN]))
  return [
    { what: 'built, s', cells: cells(({ builtMs }) => builtMs / 1000, '') },
    ...QUESTIONS.map(({ what }) => ({
      what,
      cells: {
        ...cells(({ oursMs }) => oursMs.get(what), ''),
        ...cells(({ ripgrepMs }) => ripgrepMs.get(what), ' rg'),
      },
    })),
  ]
}

/** From one size to the next, nothing but the build may grow faster than the files; what is rare much less, all in all. */
function grownWith(measured: readonly Measured[]): readonly Goal[] {
  const neighbours = measured.slice(1).map((large, at) => [measured[at], large] as const)
  const linear = QUESTIONS.flatMap(({ what }) =>
    neighbours.map(([small, large]) => grown(what, small, large, large.files / (small?.files ?? Number.NaN))),
  )
  const [from, largest] = [measured[SIZES.indexOf(FROM)], measured.at(-1)]
  return [...linear, ...RARE.map(what => grown(what, from, largest, MOST_FOR_RARE))]
}

function grown(what: string, small: Measured | undefined, large: Measured | undefined, most: number): Goal {
  const ratio = (large?.oursMs.get(what) ?? Number.NaN) / (small?.oursMs.get(what) ?? Number.NaN)
  return {
    what: `${what}: ${large?.files.toLocaleString('en')} files to ${small?.files.toLocaleString('en')}`,
    limit: `≤ ${times(most)}`,
    measured: times(ratio),
    met: ratio <= most,
  }
}
