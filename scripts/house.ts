import { globSync, readFileSync } from 'node:fs'
import { figuresOf } from './house/figures.ts'
import { longFunctions } from '../tests/architecture/long-functions.ts'
import { entryFiles, readRepository } from '../tests/architecture/repository.ts'
import { roomLines } from '../tests/architecture/room-lines.ts'
import { importedOnce, slivers } from '../tests/architecture/slivers.ts'
import { glossaryWords, unclearNames } from '../tests/architecture/unclear-names.ts'
import { unusedExports } from '../tests/architecture/unused-exports.ts'
import { COUNTED_CALLS, loadedFiles, type CountedCall } from './house/loaded-files.ts'
import { at, root } from './root.mjs'

/** Prints the figures of `npm run check -- house`: the size of the sources, and how much of them a call loads. */
const files = globSync('src/**/*.ts', { cwd: root }).map(file => [
  file.replaceAll('\\', '/'),
  readFileSync(at(file), 'utf8'),
])
const figures = figuresOf(Object.fromEntries(files))
const modules = readRepository()
const entries = entryFiles()

const rooms = [...roomLines(modules)]
row('lines', String(rooms.reduce((sum, [, lines]) => sum + lines, 0)))
for (const [room, lines] of rooms) console.log(`  ${room.padEnd(34)} ${lines}`)

row('files', String(figures.files))
row('median', `${figures.medianLines} lines`)
row('p90', `${figures.p90Lines} lines`)
row('longest file', `${figures.longestFile.lines} lines, ${figures.longestFile.file}`)
const longest = figures.longestFunction
row('longest function', `${longest.lines} lines, ${longest.name} in ${longest.file}`)

const once = importedOnce(modules, entries).length
row('one importer', `${once} files, ${Math.round((100 * once) / figures.files)}%`)
list('slivers', 'of them under 30 lines', slivers(modules, entries), each => `${each.file} → ${each.importer}`)
list('unused exports', '', unusedExports(modules, entries), each => `${each.name} in ${each.file}`)
list('long functions', 'over 100 lines', longFunctions(modules), each => `${each.lines} ${each.name} in ${each.file}`)

const glossary = glossaryWords(readFileSync(at('docs/glossary.md'), 'utf8'))
const unclear = files.flatMap(([file = '', text = '']) =>
  file.endsWith('.test.ts') ? [] : unclearNames(file, text, glossary),
)
list('unclear names', 'that do not say what the thing is', unclear, each => `${each.name} in ${each.file}:${each.line}`)

for (const { folder, edges } of figures.floors) {
  const imports = edges.reduce((sum, edge) => sum + edge.imports, 0)
  row(folder, `${edges.length} edges between rooms, ${imports} imports`)
  for (const [from, leading] of Map.groupBy(edges, edge => edge.from))
    console.log(`  ${from} → ${leading.map(edge => `${edge.to} ${edge.imports}`).join(', ')}`)
}

for (const call of Object.keys(COUNTED_CALLS) as CountedCall[]) {
  const [command, session] = await Promise.all([loadedFiles(call, 'command'), loadedFiles(call, 'library')])
  const { loaded, ran } = session
  row(
    call,
    `${command.loaded.length} files loaded, ${command.ran.length} run (in a session: ${loaded.length}, ${ran.length})`,
  )
}

function row(title: string, text: string): void {
  console.log(`${title.padEnd(18)} ${text}`)
}

function list<T>(title: string, what: string, all: readonly T[], show: (each: T) => string): void {
  row(title, `${all.length} ${what}`.trimEnd())
  for (const each of all) console.log(`  ${show(each)}`)
}
