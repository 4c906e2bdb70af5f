import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Callers } from '../../src/knowledge/code/types.ts'

/** A few lines of Python, the function that is asked about, and the lines that call it. */
export interface Snippet {
  /** `category/name`. */
  readonly name: string
  readonly target: string
  /** The first defines the target. */
  readonly files: Readonly<Record<string, string>>
  /** By `file:line`. `!` calls it, and a server can be certain; `~` calls it where that cannot be certain; `?` may call it or hands it on. */
  readonly marks: ReadonlyMap<string, '!' | '~' | '?'>
}

const FOLDER = join(import.meta.dirname, 'python-calls')

/** Every snippet, with names of its own for its files, classes and targets, so that all can stand in one workspace. */
export const snippets: readonly Snippet[] = readdirSync(FOLDER)
  .toSorted()
  .flatMap(file => {
    const category = file.replace(/\.txt$/, '')
    return readFileSync(join(FOLDER, file), 'utf8')
      .split(/^=== /m)
      .slice(1)
      .map(text => ({ category, text }))
  })
  .map(({ category, text }, number) => read(category, text, String(number).padStart(3, '0')))

function read(category: string, text: string, id: string): Snippet {
  const [head = '', ...rest] = text.split('\n')
  const [name = '', target = ''] = head.split(' ')
  const classes = Array.from(text.matchAll(/^class (\w+)/gm), ([, found = '']) => found)
  const words = new RegExp(`\\b(target|main|middle|other(?=\\.py)|${['Thing', ...classes].join('|')})\\b`, 'g')
  const own = (part: string) => part.replaceAll(words, `$1_${id}`)
  const files: Record<string, string> = {}
  const marks = new Map<string, '!' | '~' | '?'>()
  for (const part of `--- main.py\n${rest.join('\n')}`.split(/^--- /m).slice(1)) {
    const [path = '', ...lines] = own(part).split('\n')
    files[path] = `${lines
      .map(line => line.replace(/ {2}#[!~?]$/, ''))
      .join('\n')
      .trimEnd()}\n`
    for (const [at, line] of lines.entries()) {
      const mark = / {2}#([!~?])$/.exec(line)?.[1]
      if (mark === '!' || mark === '~' || mark === '?') marks.set(`${path}:${at + 1}`, mark)
    }
  }
  return { name: `${category}/${name}`, target: own(target), files, marks }
}

/** What is wrong with an answer: certain callers that are none, and calls that it neither lists nor explains. */
export function faultsOf({ files, marks }: Snippet, { callers, possible, unknown }: Callers): readonly string[] {
  const isOwn = ({ path }: { readonly path: string }) => Object.hasOwn(files, path)
  const certain = new Set(callers.filter(isOwn).map(({ path, line }) => `${path}:${line}`))
  const listed = new Set(possible.filter(isOwn).map(({ path, line }) => `${path}:${line}`))
  // A function that is handed on may be called wherever its value arrives. What is said of other snippets explains nothing.
  const isExplained =
    possible.some(one => isOwn(one) && one.why.endsWith('passed as a value')) ||
    unknown.some(why => !why.includes('.py:') || why.includes(' more') || mentions(why, files))
  return [
    ...[...certain].filter(at => !/[!~]/.test(marks.get(at) ?? '')).map(at => `${at} is certain and wrong`),
    ...[...marks.keys()]
      .filter(at => !certain.has(at) && !listed.has(at) && !isExplained)
      .map(at => `${at} is missing`),
  ]
}

/** Calls that a server can be certain of and was not, and possible ones if there is nothing of the kind. */
export function weaknessesOf({ files, marks }: Snippet, { callers, possible }: Callers): readonly string[] {
  const certain = new Set(callers.map(({ path, line }) => `${path}:${line}`))
  const sure = [...marks].filter(([at, mark]) => mark === '!' && !certain.has(at)).map(([at]) => `${at} is not certain`)
  const stray = possible.filter(({ path, line }) => Object.hasOwn(files, path) && !marks.has(`${path}:${line}`))
  return [...sure, ...stray.map(({ path, line, why }) => `${path}:${line} is possible (${why})`)]
}

const mentions = (why: string, files: Snippet['files']): boolean => Object.keys(files).some(path => why.includes(path))
