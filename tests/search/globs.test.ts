import { describe, expect, it } from 'vitest'
import { relativeGlob } from '../../src/contracts/toolwright/relative-glob.ts'
import { grep } from '../../src/knowledge/search/grep.ts'
import type { GrepOptions } from '../../src/knowledge/search/types.ts'
import { wantedBy } from '../../src/knowledge/search/wanted-files.ts'
import { compileGlob } from '../../src/guards/glob.ts'
import { createRandom, type Random } from '../patch-differential/random.ts'
import { heldDirectory } from './held-directory.ts'
import { indexed, question, type Indexed } from './indexed.ts'
import { randomGlobs } from './random-globs.ts'
import { takenByRipgrep } from './taken-by-ripgrep.ts'

const isLong = process.env['TOOLWRIGHT_LONG'] === '1'
/** Replay one tree with TOOLWRIGHT_SEED=n. */
const only = process.env['TOOLWRIGHT_SEED']
const TREES = isLong ? 100 : 2
const seeds = only === undefined ? Array.from({ length: TREES }, (_, at) => at + 1) : [Number(only)]
const GLOBS = isLong ? 60 : 25

describe('globs', () => {
  it(
    `take the files that ripgrep takes, ${seeds.length * GLOBS} times, by the index and by a scan`,
    { timeout: 3_600_000 },
    async () => {
      let found = 0
      for (const seed of seeds) {
        const random = createRandom(seed)
        const paths = randomPaths(random, seed % 2 === 0)
        const some = await indexed(Object.fromEntries(paths.map(path => [path, 'x\n'])))
        for (let round = 0; round < GLOBS; round++) {
          const globs = randomGlobs(random, paths)
          const theirs = [...takenByRipgrep(some.path, globs)].toSorted()
          const shown = { seed, globs: globs.join(' ') }
          expect({ ...shown, files: await byIndex(some, globs) }).toEqual({ ...shown, files: theirs })
          // A scan asks the same of each file; a process each time is dear.
          if (round % 6 === 0)
            expect({ ...shown, files: await byScan(some, globs) }).toEqual({ ...shown, files: theirs })
          if (theirs.length > 0) found++
        }
      }
      expect(found).toBeGreaterThan((seeds.length * GLOBS) / 4)
    },
  )

  it('are read alike by the index and by a scan, whatever the names', async () => {
    const some = await indexed({ 'w.txt': 'x', 'a/w.txt': 'x', 'a/b/日.md': 'x', '日.md': 'x', 'é.md': 'x' })
    for (const [what, globs, files] of CASES) {
      expect([what, await byIndex(some, globs)]).toEqual([what, files])
      expect([what, await byScan(some, globs)]).toEqual([what, files])
    }
  })
})

const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['a later glob wins', ['!*.txt', 'w.txt'], ['a/w.txt', 'w.txt']],
  ['a later glob leaves out', ['w.txt', '!a/*'], ['w.txt']],
  ['what is left out is not entered', ['!a', 'a/w.txt'], []],
  ['directories left out', ['!*/'], ['w.txt', 'é.md', '日.md']],
  ['a directory is no file', ['w.txt/'], []],
  ['a directory takes what is below', ['a/'], ['a/b/日.md', 'a/w.txt']],
  ['what is below is not the file itself', ['w.txt/**'], []],
  ['? is one character', ['?.md'], ['a/b/日.md', 'é.md', '日.md']],
  ['as many as there are', ['???.md'], []],
  ['a class holds characters', ['[日月].md'], ['a/b/日.md', '日.md']],
  ['a class without them', ['[!é].md'], ['a/b/日.md', '日.md']],
]

const asked = (globs: readonly string[]): GrepOptions =>
  question(['x'], { globs: globs.map(relativeGlob), only: 'files' })

async function byIndex({ index }: Indexed, globs: readonly string[]): Promise<readonly string[]> {
  const answer = await index.grep({ options: asked(globs) })
  if ('scan' in answer) throw new Error(`The index did not answer: ${answer.scan}`)
  return (answer.files ?? []).map(({ path }) => path).toSorted()
}

async function byScan({ path }: Indexed, globs: readonly string[]): Promise<readonly string[]> {
  const world = {
    wanted: wantedBy(compileGlob, { globs: globs.map(relativeGlob) }),
    mayRead: () => true,
    secretFiles: 'open' as const,
    hides: undefined,
    staged: undefined,
  }
  const { files = [] } = await grep(heldDirectory(path), { ...asked(globs), directory: '.' }, world)
  return files.map(one => one.path).toSorted()
}

/** Few names, so that a glob is likely to name several; a name may stand for a file here and a directory there. */
function randomPaths(random: Random, isAscii: boolean): readonly string[] {
  const NAMES = ['a', 'b', 'ab', 'w.txt', 'x.ts', 'x.d.ts', '.hid', 'a b', '[x]', 'b{c}', '!no', 'lib'] as const
  const MORE = ['日', 'é.md', 'ü.ts', 'naïve.txt'] as const
  const name = () => (isAscii || random.chance(0.6) ? random.pick(NAMES) : random.pick(MORE))
  const paths = new Set<string>()
  for (let times = 0; times < 30; times++) {
    const path = Array.from({ length: 1 + random.int(4) }, name).join('/')
    const clashes = [...paths].some(one => one.startsWith(`${path}/`) || path.startsWith(`${one}/`))
    if (!clashes) paths.add(path)
  }
  return [...paths]
}
