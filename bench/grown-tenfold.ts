import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { times, type Goal, type Row } from './bench.ts'
import type { Corpus } from './corpora.ts'
import { openedIndex, type OpenedIndex } from './opened-index.ts'
import { interleave, median } from './sample.ts'

const COPIES = 10
const ROUNDS = 9
const EACH = 30
/** In one file of either tree, so that both find the same. */
const RARE = 'onlyInThisOneFileOfAll'

/** A rare literal among ten times as many files, of the same kind as before: about 100,000 beside 10,000. */
export async function grownTenfold(corpus: Corpus, goals: Goal[]): Promise<readonly Row[]> {
  // Beside the corpus, which is on a disk with room.
  const base = mkdtempSync(`${corpus.path}-tenfold-`)
  try {
    await using one = await openedIndex(copied(corpus, join(base, 'one'), 1))
    await using ten = await openedIndex(copied(corpus, join(base, 'ten'), COPIES))
    const samples = await interleave(
      { one: () => asked(one), ten: () => asked(ten) },
      { rounds: ROUNDS, warmUp: 1, repeat: { one: EACH, ten: EACH } },
    )
    const [before, after] = [median(samples.one) / 1000, median(samples.ten) / 1000]
    const files = (opened: OpenedIndex) => opened.tree.files().size.toLocaleString('en')
    const what = `rare literal at ${files(ten)} files to that at ${files(one)}`
    const growth = after / before
    goals.push({ what, limit: '≤ 3.00x', measured: times(growth), met: growth <= 3 })
    return [{ what, cells: { ours: after, note: times(growth) } }]
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function copied({ path }: Corpus, to: string, copies: number): string {
  for (let copy = 0; copy < copies; copy++)
    cpSync(path, join(to, `copy${copy}`), { recursive: true, filter: from => basename(from) !== '.git' })
  writeFileSync(join(to, 'copy0', 'rare.ts'), `export const ${RARE} = 1\n`)
  return to
}

async function asked({ index }: OpenedIndex): Promise<void> {
  const answer = await index.grep({ options: { patterns: [RARE], maxResults: 10, timeoutMs: 60_000 } })
  if (!('total' in answer) || answer.total !== 1) throw new Error('The one line was not found by the index')
}
