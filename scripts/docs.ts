import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pages } from './docs/pages.ts'
import { storedSchemas } from './docs/schemas.ts'
import { commandSummaries } from './docs/summaries.ts'
import { at, root } from './root.mjs'

/** Writes the reference, the marked parts of the guides, and what is stored of the tools. `--check` only compares. */
const check = process.argv.includes('--check')
const { files: schemas, problems } = storedSchemas()
for (const problem of problems) console.error(problem)

// What is stored comes first: pages show what the command line prints of it.
const stored = update(new Map([await commandSummaries(), ...schemas]))
const fresh = await pages()
const written = update(fresh)
const stale = globSync('docs/reference/*.md', { cwd: root }).filter(path => !fresh.has(path))
for (const path of stale) {
  console.log(`${check ? 'no longer generated' : 'removed'}: ${path}`)
  if (!check) rmSync(at(path))
}
const differs = stored + written + stale.length > 0
if (check && differs) console.log('Run npm run docs and look at what it changed.')
process.exitCode = problems.length > 0 || (check && differs) ? 1 : 0

/** Returns how many files differed. */
function update(wanted: ReadonlyMap<string, string>): number {
  const drifted = [...wanted].filter(([path, text]) => !existsSync(at(path)) || readFileSync(at(path), 'utf8') !== text)
  for (const [path, text] of drifted) {
    console.log(`${check ? 'differs' : 'written'}: ${path}`)
    if (check) continue
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  return drifted.length
}
