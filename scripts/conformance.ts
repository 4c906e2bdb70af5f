import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLAUSE, DOCUMENTS } from './clauses.ts'
import { at, root } from './root.mjs'

interface Test {
  readonly file: string
  readonly name: string
  readonly holds: boolean
}

const PRINTED = 'tests/conformance/printed'

/** `npm run conformance`: the tests that name a clause or check what a document prints, as a table by document. */
const tests = run(filesWithClauses())
const rows = DOCUMENTS.map(({ name, ids }) => {
  const of = (id: string) => tests.filter(test => test.name.includes(id))
  const tested = ids.filter(id => of(id).length > 0)
  const printed = tests.filter(({ file }) => file === `${PRINTED}/${name}.test.ts`)
  return {
    document: name,
    clauses: ids.length,
    'clauses tested': tested.length,
    'clauses holding': tested.filter(id => of(id).every(({ holds }) => holds)).length,
    'printed facts': printed.length,
    'facts holding': printed.filter(({ holds }) => holds).length,
    untested: ids.filter(id => !tested.includes(id)).join(' '),
  }
})
const columns = ['document', 'clauses', 'clauses tested', 'clauses holding', 'printed facts', 'facts holding'] as const
for (const line of [Object.fromEntries(columns.map(column => [column, column])), ...rows])
  console.log(
    columns
      .map((column, place) => {
        const text = String(Reflect.get(line, column))
        return place === 0 ? text.padEnd(16) : text.padStart(column.length + 2)
      })
      .join(''),
  )
for (const { document, untested } of rows) if (untested !== '') console.log(`${document}: no test names ${untested}`)
const broken = tests.filter(({ holds }) => !holds)
for (const { file, name } of broken) console.log(`does not hold: ${file}: ${name}`)
process.exitCode = broken.length === 0 && tests.length > 0 ? 0 : 1

/** Test files that name a clause, and those of what the documents print. */
function filesWithClauses(): readonly string[] {
  return globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root }).filter(
    file => file.startsWith(PRINTED) || readFileSync(at(file), 'utf8').search(new RegExp(CLAUSE)) >= 0,
  )
}

function run(files: readonly string[]): readonly Test[] {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-conformance-'))
  try {
    const output = join(folder, 'tests.json')
    const args = [at('node_modules', 'vitest', 'vitest.mjs'), 'run', ...files, '-t', `${CLAUSE}|printed: `]
    spawnSync(process.execPath, [...args, '--reporter=json', `--outputFile=${output}`], { cwd: root, stdio: 'ignore' })
    const { testResults }: { testResults: readonly { name: string; assertionResults: readonly object[] }[] } =
      JSON.parse(readFileSync(output, 'utf8'))
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(Object).flatMap(({ fullName, status }) => {
        const isAsked = status === 'passed' || status === 'failed'
        return isAsked ? [{ file: name.slice(root.length + 1), name: fullName, holds: status === 'passed' }] : []
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
