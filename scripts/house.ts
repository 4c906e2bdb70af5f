import { globSync, readFileSync } from 'node:fs'
import { figuresOf } from './house/figures.ts'
import { COUNTED_CALLS, loadedFiles, type CountedCall } from './house/loaded-files.ts'
import { at, root } from './root.mjs'

/** What `npm run check -- --house` prints: how large the sources are, and how much of them a call needs. */
const files = globSync('src/**/*.ts', { cwd: root }).map(file => [
  file.replaceAll('\\', '/'),
  readFileSync(at(file), 'utf8'),
])
const figures = figuresOf(Object.fromEntries(files))

const row = (name: string, text: string) => console.log(`${name.padEnd(18)} ${text}`)
row('files', String(figures.files))
row('median', `${figures.medianLines} lines`)
row('p90', `${figures.p90Lines} lines`)
row('longest file', `${figures.longestFile.lines} lines, ${figures.longestFile.file}`)
const { name, file, lines } = figures.longestFunction
row('longest function', `${lines} lines, ${name} in ${file}`)

for (const { folder, edges } of figures.floors) {
  const imports = edges.reduce((sum, edge) => sum + edge.imports, 0)
  row(folder, `${edges.length} edges between rooms, ${imports} imports`)
  for (const [from, leading] of Map.groupBy(edges, edge => edge.from))
    console.log(`  ${from} → ${leading.map(edge => `${edge.to} ${edge.imports}`).join(', ')}`)
}

for (const call of Object.keys(COUNTED_CALLS) as CountedCall[]) {
  const [once, session] = await Promise.all([loadedFiles(call, 'command'), loadedFiles(call, 'library')])
  const { loaded, ran } = session
  row(
    call,
    `${once.loaded.length} files loaded, ${once.ran.length} run (in a session: ${loaded.length}, ${ran.length})`,
  )
}
