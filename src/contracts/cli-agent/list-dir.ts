import { defineTool, reads, z } from '../tool.ts'
import { answer } from './answer.ts'
import { printedPath } from './printed-path.ts'

const PAGE = 1000

export const listDir = defineTool({
  name: 'list_dir',
  version: '1.0.0',
  description: 'List contents of a directory',
  input: () =>
    z.strictObject({
      path: z.string().default('.').describe('Relative path to directory (default: current directory)'),
      page: z.int().positive().default(1).describe('Which 1000 entries to show (default: the first)'),
    }),
  output: () =>
    z.strictObject({
      ...answer,
      metadata: z.strictObject({ total_entries: z.int(), files: z.int(), directories: z.int() }),
    }),
  effects: ['read'],
  claims: ({ path }) => reads(path),
  run({ path, page }, { files }) {
    const entriesHere = files.list(path)
    const plain = entriesHere.filter(({ type }) => type !== 'directory')
    // The document prints the files first.
    const entries = [...plain, ...entriesHere.filter(({ type }) => type === 'directory')]
    const pageEntries = entries.slice((page - 1) * PAGE, page * PAGE)
    const lines = pageEntries.map(({ name, type }) => `  ${printedPath(type === 'directory' ? `${name}/` : name)}\n`)
    const rest = pageWarning(entries.length, page, pageEntries.length)
    return {
      output: `Contents of ${pathText(path)}:\n${lines.join('')}${rest}`,
      metadata: { total_entries: entries.length, files: plain.length, directories: entries.length - plain.length },
    }
  },
  examples: [{ input: { path: 'src' }, files: { 'src/app.py': '', 'src/utils.py': '', 'src/models/user.py': '' } }],
})

/** As the document prints it: `./src`. */
const pathText = (path: string): string =>
  path === '.' || path.startsWith('./') || path.startsWith('/') ? path : `./${path}`

/** Says which part of a long listing is shown; empty if it is complete. */
function pageWarning(total: number, page: number, shown: number): string {
  const pages = Math.max(1, Math.ceil(total / PAGE))
  const first = (page - 1) * PAGE
  if (page > pages)
    return `Warning: ${total} entries, and none on page ${page}; there ${pages === 1 ? 'is 1 page' : `are ${pages} pages`}\n`
  const others = page < pages ? 'ask for another page' : 'this is the last page'
  return pages === 1 ? '' : `Warning: ${total} entries, showing ${first + 1}-${first + shown}; ${others}\n`
}
