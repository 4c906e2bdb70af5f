import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { openCorpus, OWN_CORPUS, type CorpusFile } from './corpus.ts'
import { CannotRun, isLegitimate, type Result, type Row } from './row.ts'
import { demandShape } from './row-shape.ts'

/** `npm run attack -- DIR`: every row of a directory, its own rows unless given; `file: passed/total`, what failed, and what cannot be run. */
const directory = resolve(process.argv[2] ?? OWN_CORPUS)
process.exitCode = existsSync(directory) ? await attack(directory) : say(`${directory} does not exist.`)

async function attack(from: string): Promise<number> {
  const { files, later } = openCorpus(from)
  if (files.length === 0) return say(`${from} holds no rows that can be run.`)
  let failed = 0
  for (const file of files) failed += await runFile(file)
  for (const name of later) console.log(`${name}: not run, no tool of this version does what it is about`)
  return failed === 0 ? 0 : 1
}

async function runFile({ name, rows, unreadable, run }: CorpusFile): Promise<number> {
  const done: (readonly [Row, Result])[] = []
  const left = unreadable.map(({ line, why }): readonly [string, string] => [`${name}:${line}`, why])
  for (const row of rows)
    try {
      demandShape(name, row)
      done.push([row, await run(row)])
    } catch (error) {
      if (error instanceof CannotRun) left.push([row.id, error.message])
      else done.push([row, broken(error)])
    }
  await run.close?.()
  const passed = (some: typeof done) => `${some.filter(([, { ok }]) => ok).length}/${some.length}`
  const legitimate = done.filter(([row]) => isLegitimate(row))
  const security = done.filter(([row]) => !isLegitimate(row))
  const unrun = left.length === 0 ? '' : `, ${left.length} not run`
  console.log(`${name}: ${passed(done)} (security ${passed(security)}, legitimate ${passed(legitimate)})${unrun}`)
  const failed = done.filter(([, { ok }]) => !ok)
  for (const [row, { got }] of failed) console.log(`  ${row.id} expected ${row.expect}, got ${got}`)
  for (const [what, why] of left) console.log(`  ${what} not run: ${why}`)
  return failed.length
}

function broken(error: unknown): Result {
  return { ok: false, got: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

function say(text: string): number {
  console.error(text)
  return 1
}
