import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CannotRun, type Row, type RunRow } from './row.ts'
import { rowIn } from './row-shape.ts'
import { pathRows } from './rows/paths.ts'
import { approvalRows } from './rows/approval.ts'
import { redosRows } from './rows/redos.ts'
import { secretRows } from './rows/secrets.ts'
import { shellRows } from './rows/shell.ts'
import { ssrfRows } from './rows/ssrf.ts'
import { terminalRows } from './rows/terminal.ts'
import { patchRows } from './rows/patches.ts'

/** One file of the corpus with what runs its rows. */
export interface CorpusFile {
  readonly name: string
  readonly rows: readonly Row[]
  /** Lines that hold no row, and why not. */
  readonly unreadable: readonly { readonly line: number; readonly why: string }[]
  readonly run: RunRow
}

/** The rows that come with the project. */
export const OWN_CORPUS = join(import.meta.dirname, '../data/attack')
const DOCS = join(import.meta.dirname, '../../docs')

const RUNNERS: Readonly<Record<string, (directory: string) => RunRow>> = {
  'path-traversal.jsonl': directory => pathRows(jsonOf(directory, 'path-fixture.json'), documents()),
  'patches.jsonl': () => patchRows(),
  'approval.jsonl': () => approvalRows(),
  'secrets.jsonl': directory => {
    const { values } = jsonOf<{ values: Record<string, string> }>(directory, 'secret-store.json')
    return secretRows({
      values: new Map(Object.entries(values)),
      guide: readFileSync(join(DOCS, 'secrets.md'), 'utf8'),
    })
  },
  'redos.jsonl': () => redosRows(),
  'shell-bypass.jsonl': directory => shellRows(jsonOf(directory, 'shell-policies.json')),
  'ssrf.jsonl': () => ssrfRows(),
  'terminal.jsonl': () => terminalRows(),
}

/** The files of a directory that this version can be held against, and the names of those that are for later parts. */
export function openCorpus(directory: string): { files: readonly CorpusFile[]; later: readonly string[] } {
  const names = readdirSync(directory)
    .filter(name => name.endsWith('.jsonl'))
    .toSorted()
  const files = names.flatMap(name => {
    const open = RUNNERS[name]
    return open ? [{ name, ...rowsOf(join(directory, name)), run: open(directory) }] : []
  })
  return { files, later: names.filter(name => RUNNERS[name] === undefined) }
}

function rowsOf(file: string): Pick<CorpusFile, 'rows' | 'unreadable'> {
  const rows: Row[] = []
  const unreadable: { line: number; why: string }[] = []
  for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries())
    try {
      if (line.trim() !== '') rows.push(rowIn(line))
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error
      unreadable.push({ line: at + 1, why: error.message })
    }
  return { rows, unreadable }
}

/** What rows rest on lies beside them, or is the same as ours. */
function jsonOf<T>(directory: string, name: string): T {
  const beside = join(directory, name)
  return JSON.parse(readFileSync(existsSync(beside) ? beside : join(OWN_CORPUS, name), 'utf8'))
}

const documents = (): string =>
  readdirSync(DOCS)
    .filter(name => name.endsWith('.md'))
    .map(name => readFileSync(join(DOCS, name), 'utf8'))
    .join('\n')
