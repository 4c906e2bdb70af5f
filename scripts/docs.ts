import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pages } from './docs/pages.ts'
import { storedSchemas } from './docs/schemas.ts'
import { at, root } from './root.mjs'

/** Writes the reference, the marked parts of the guides and the stored schemas. `--check` only compares. */
const check = process.argv.includes('--check')
const { text: schemas, problems } = storedSchemas()
for (const problem of problems) console.error(problem)

const wanted = new Map([...(await pages()), ['tests/data/schemas.json', schemas] as const])
const stale = globSync('docs/reference/*.md', { cwd: root }).filter(path => !wanted.has(path))
const drifted = [...wanted].filter(([path, text]) => !existsSync(at(path)) || readFileSync(at(path), 'utf8') !== text)

for (const [path, text] of drifted) {
  console.log(`${check ? 'differs' : 'written'}: ${path}`)
  if (check) continue
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
for (const path of stale) {
  console.log(`${check ? 'no longer generated' : 'removed'}: ${path}`)
  if (!check) rmSync(at(path))
}
if (check && drifted.length + stale.length > 0) console.log('Run npm run docs and look at what it changed.')
process.exitCode = problems.length > 0 || (check && drifted.length + stale.length > 0) ? 1 : 0
