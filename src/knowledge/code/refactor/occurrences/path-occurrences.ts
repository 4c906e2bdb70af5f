import { posix } from 'node:path'
import { isScripted } from '../../../../languages/registry.ts'
import { parseOccurrences } from '../../../model/occurrences/parse-occurrences.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import { means, specifierFor, styleOf } from '../../../../languages/javascript/specifier.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import { computedPaths, mayReach, SCRIPT_ENDING } from '../../../../languages/javascript/reflection.ts'
import type { ComputedImport } from '../../../../languages/reflection.ts'
import { filesWith } from './find-occurrences.ts'
import { byPlace, changedAt, mentionAt, otherAt, undecidedAt, type Occurrence } from './occurrence.ts'
import { isProse } from './text-occurrences.ts'

/** Every place that names the path of a moving script: imports, mocks, configuration, documents. */
export async function pathOccurrences(
  parts: RefactorParts,
  path: string,
  to: string,
  isChanged: (path: string, start: number) => boolean,
): Promise<readonly Occurrence[]> {
  const { sources } = parts
  const occurrences: Occurrence[] = []
  for (const file of await filesWith(parts, stemOf(path))) {
    if (file === path || !parts.mayRead(file)) continue
    const { text } = sources(file)
    const pathMatches = [...text.matchAll(PATHS)].filter(([token]) => names(file, token, path) !== undefined)
    if (pathMatches.length === 0) continue
    const comments = (await parseSyntax(file, text))?.comments ?? []
    const importStarts = new Set(
      (await parseOccurrences(file, text, stemOf(path)))?.flatMap(each => (each.kind === 'module' ? [each.start] : [])),
    )
    for (const { index, 0: token } of pathMatches) {
      const at = { path: file, start: index, end: index + token.length, kind: 'path' } as const
      const isImport = [...importStarts].some(start => start >= at.start && start < at.end)
      const isQuoted = /["'`]/.test(text[index - 1] ?? '') || !isScripted(file)
      const isComment = comments.some(each => each.start <= index && each.end > index)
      if (isChanged(file, index)) occurrences.push(changedAt(at))
      else if (isImport) occurrences.push(otherAt(at, 'the import means another file'))
      else if (!isQuoted || isProse(file) || isComment) occurrences.push(mentionAt(at))
      else occurrences.push(undecidedAt(at, 'a text names the file', newPath(file, token)))
    }
  }
  occurrences.push(...(await computedLoads()))
  return occurrences.toSorted(byPlace)

  function newPath(file: string, token: string): string | undefined {
    const from = names(file, token, path)
    if (from === undefined || from === 'unknown') return undefined
    const newSpecifier = specifierFor(posix.join(from, 'any'), to, styleOf({ specifier: token, path }))
    return token.startsWith('.') ? newSpecifier : newSpecifier.replace(/^\.\//, '')
  }

  /** Places that load files by computed names that may match the old path. */
  async function computedLoads(): Promise<readonly Occurrence[]> {
    const places: Occurrence[] = []
    const files = await Promise.all(LOADING.map(word => filesWith(parts, word)))
    for (const file of new Set(files.flat())) {
      if (!isScripted(file) || !parts.mayRead(file)) continue
      for (const each of computedPaths(sources(file).text))
        if (mayLoad(file, each)) {
          const at = { path: file, start: each.start, end: each.end, kind: 'path' } as const
          places.push(undecidedAt(at, 'files of its folder are loaded by computed names'))
        }
    }
    return places
  }

  function mayLoad(file: string, each: ComputedImport): boolean {
    if (!each.prefix.startsWith('.')) return false
    // A glob matches the file under any name.
    if (each.isGlob && posix.dirname(path) === posix.dirname(to)) return false
    return mayReach(file, each, path)
  }
}

const LOADING = ['import', 'require', 'glob', 'URL']
const PATHS = /[\w$@~#./\\:-]*[\w$-]+[\w$@~#./\\:-]*/g

/** The folder that a path in a text is relative to; `unknown` if it may be the file, undefined if it is not. */
function names(file: string, token: string, path: string): string | undefined {
  if (means(file, token, path)) return posix.dirname(file)
  const base = posix.basename(token)
  if (!token.includes('/')) return base === posix.basename(path) ? 'unknown' : undefined
  if (token.startsWith('.')) return undefined
  // From the folder of the file or one above it.
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    if (means(posix.join(folder, 'any'), `./${token.replace(/^\//, '')}`, path)) return folder
    if (folder === '.' || folder === '/') break
  }
  return /^[@~#]/.test(token) && base.replace(SCRIPT_ENDING, '') === stemOf(path) ? 'unknown' : undefined
}

const stemOf = (path: string): string => {
  const stem = posix.basename(path).replace(SCRIPT_ENDING, '')
  return stem === 'index' ? posix.basename(posix.dirname(path)) : stem
}
