import { posix } from 'node:path'
import { languageOf } from '../../../model/languages.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import { filesLike } from '../../callers/files-writing.ts'
import type { CodeParts } from '../../code-parts.ts'
import { isPast, type Deadline } from '../../servers/deadline.ts'
import { importersAround } from '../importers-around.ts'
import { computedNames, isFitting, type ComputedName } from './computed-names.ts'
import { late } from './find-occurrences.ts'
import type { Occurrence } from './occurrence.ts'
import type { Target } from './target.ts'

/** Places that look up a name that is put together and may be that of a target. */
export async function computedOccurrences(
  parts: CodeParts,
  target: Target,
  deadline: Deadline,
): Promise<readonly Occurrence[]> {
  const language = languageOf(target.path) ?? ''
  const isPython = language === 'python'
  if (target.scope === 'local' || (!isPython && !/^(type|java)script$|^vue$/.test(language))) return []
  const found: Occurrence[] = []
  const near = isPython ? await importersAround(parts, target.path, { reach: 'direct', deadline }) : []
  for await (const { path, text } of filesLike(parts, target.path)) {
    if (isPast(deadline)) throw late()
    const names = computedNames(text, isPython).filter(
      each =>
        isFitting(target.old, each) &&
        (isPython
          ? mayHave(target, path, text, each, path === target.path || near.includes(path))
          : isFixed(each) && (target.scope === 'member' || HAS_MODULES.test(text))),
    )
    if (names.length === 0) continue
    const comments = (await parseSyntax(path, text))?.comments ?? []
    for (const { start, end } of names)
      if (!comments.some(each => each.start <= start && each.end > start))
        found.push({
          path,
          start,
          end,
          kind: 'string',
          verdict: 'not decided',
          why: 'a name that is put together there may be it',
          blocks: true,
        })
  }
  return found
}

/** Whether what a place of Python looks into may have the target, as far as the text says. */
function mayHave(
  { path: own, scope }: Target,
  path: string,
  text: string,
  { of, ...fixed }: ComputedName,
  isNear: boolean,
): boolean {
  if (of === 'globals()') return scope === 'module' && isNear
  if (isFixed(fixed)) return true
  if (!isNear) return false
  if (scope === 'member') return !isModule(of, text) && (path === own || !/^(self|cls)$/.test(of))
  const stem = stemOf(own)
  const local = new RegExp(`\\b${stem}\\s+as\\s+(\\w+)`).exec(text)?.[1]
  return of.split('.').at(-1) === stem || of === local || (path === own && of.includes('__name__'))
}

const isFixed = ({ prefix, suffix }: Pick<ComputedName, 'prefix' | 'suffix'>): boolean => prefix + suffix !== ''

const HAS_MODULES = /\bimport\s*\*\s*as\b|\brequire\s*\(|\bimport\s*\(|\bglobalThis\b|\bwindow\b|\bexports\b/

const isModule = (of: string, text: string): boolean =>
  /^\w+$/.test(of) && new RegExp(`^\\s*import\\s+(?:.*\\bas\\s+)?${of}\\b`, 'm').test(text)

function stemOf(path: string): string {
  const stem = posix.basename(path).replace(/\.\w+$/, '')
  return stem === '__init__' ? posix.basename(posix.dirname(path)) : stem
}
