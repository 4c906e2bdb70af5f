import { isSameFamily, isScripted, languageAt } from '../../../../languages/registry.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import { filesOfLanguage } from '../../callers/files-of-language.ts'
import { isPast } from '../../servers/deadline.ts'
import { importersAround } from '../importers-around.ts'
import { hasMacros, notInTime, type RefactorParts } from '../refactor-parts.ts'
import { isFitting, type ComputedName } from '../../../../languages/reflection.ts'
import { filesWith } from './find-occurrences.ts'
import { keyOccurrences } from './key-occurrences.ts'
import { moduleName } from './modules.ts'
import { undecidedAt, type Occurrence, type Target } from './occurrence.ts'

/** Places that may use a target without its name: the language calls it, or the name is computed. */
export async function implicitOccurrences(
  parts: RefactorParts,
  target: Target,
  { isDeleted = false } = {},
): Promise<readonly Occurrence[]> {
  if (target.scope === 'local') return []
  return [...(await calledUnwritten(parts, target)), ...(await computedOccurrences(parts, target, isDeleted))]
}

/** The declaration of a function that is called implicitly: removing or renaming it ends those calls. */
async function calledUnwritten(
  parts: RefactorParts,
  { path, old, scope, position }: Target,
): Promise<readonly Occurrence[]> {
  // A header may declare how a function is called.
  const files = hasMacros(path)
    ? (await filesWith(parts, old)).filter(each => isSameFamily(each, path) && parts.mayRead(each))
    : [path]
  const texts = files.map(each => parts.sources(each).text)
  const why = languageAt(path).whyImplicit?.({ name: old, isMember: scope === 'member', texts })
  const start = parts.sources(path).offsetOf(position)
  return why === undefined ? [] : [undecidedAt({ path, start, end: start + old.length, kind: 'declaration' }, why)]
}

/** Places that look up a computed name that may be the target's. */
async function computedOccurrences(
  parts: RefactorParts,
  target: Target,
  isDeleted: boolean,
): Promise<readonly Occurrence[]> {
  if (isScripted(target.path)) return keyOccurrences(parts, target, isDeleted)
  const { computedNames } = languageAt(target.path).reflection ?? {}
  if (!computedNames) return []
  const occurrences: Occurrence[] = []
  const near = new Set([target.path, ...(await importersAround(parts, target.path, 'direct'))])
  for await (const { path, text } of filesOfLanguage(parts, target.path)) {
    if (isPast(parts.deadline)) throw notInTime()
    const names = computedNames(text).filter(
      each => isFitting(target.old, each) && mayHave(target, path, text, each, near.has(path)),
    )
    if (names.length === 0) continue
    const comments = (await parseSyntax(path, text))?.comments ?? []
    for (const { start, end } of names)
      if (!comments.some(each => each.start <= start && each.end > start))
        occurrences.push(undecidedAt({ path, start, end, kind: 'string' }, 'a computed name there may be it'))
  }
  return occurrences
}

/** Reports whether the object of a lookup may have the target, judged by the text. */
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
  const name = moduleName(own)
  const local = new RegExp(`\\b${name}\\s+as\\s+(\\w+)`).exec(text)?.[1]
  return of.split('.').at(-1) === name || of === local || (path === own && of.includes('__name__'))
}

const isFixed = ({ prefix, suffix }: Pick<ComputedName, 'prefix' | 'suffix'>): boolean => prefix + suffix !== ''

const isModule = (of: string, text: string): boolean =>
  /^\w+$/.test(of) && new RegExp(`^[ \\t]*import\\s+(?:.*\\bas\\s+)?${of}\\b`, 'm').test(text)
