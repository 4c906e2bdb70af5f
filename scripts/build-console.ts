import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { at } from './root.mjs'

/** What a browser may load before it shows the first page, compressed. */
const MOST_BYTES = 120_000

/** Builds the console into a folder: names of assets carry a hash, so that a browser may keep them. Returns the folders of its packages. */
export async function buildConsole(folder: string): Promise<readonly string[]> {
  const assets = join(folder, 'assets')
  mkdirSync(assets, { recursive: true })
  await using build = await rolldown({
    cwd: at('console'),
    input: { console: 'main.tsx' },
    platform: 'browser',
    onLog: (level, log, print) => {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
      print(level, log)
    },
  })
  const { output } = await build.write({
    dir: assets,
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
  })
  const chunks = output.filter(file => file.type === 'chunk')
  const entry = chunks.find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The console has no entry')
  const styles = styleSheet()
  const styleName = `console-${createHash('sha256').update(styles).digest('hex').slice(0, 8)}.css`
  writeFileSync(join(assets, styleName), styles)
  const page = readFileSync(at('console', 'index.html'), 'utf8')
    .replace('{{script}}', `/assets/${entry.fileName}`)
    .replace('{{styles}}', `/assets/${styleName}`)
  writeFileSync(join(folder, 'index.html'), page)
  cpSync(at('console', 'mark.svg'), join(folder, 'mark.svg'))
  const first = chunks.filter(({ fileName }) => fileName === entry.fileName || entry.imports.includes(fileName))
  const bytes = [...first.map(({ code }) => code), styles, page].reduce((sum, text) => sum + gzipSync(text).length, 0)
  if (bytes > MOST_BYTES)
    throw new Error(`The console's first load has ${bytes} bytes compressed, and ${MOST_BYTES} is the most`)
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  return modules.flatMap(id => /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [])
}

/** Tokens come first, and the rules of pages after those of their parts. */
function styleSheet(): string {
  const order = ['tokens.css', 'base.css', 'frame.css', 'parts.css']
  const others = globSync('*.css', { cwd: at('console', 'styles') }).filter(name => !order.includes(name))
  return [...order, ...others.toSorted()].map(name => readFileSync(at('console', 'styles', name), 'utf8')).join('\n')
}
