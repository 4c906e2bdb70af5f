import { isSameFamily, isScripted, languageAt } from '../../../../languages/registry.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import { filesOfLanguage } from '../../callers/files-of-language.ts'
import { isPast } from '../../servers/deadline.ts'
import { importersAround } from '../importers-around.ts'
import { hasMacros, notInTime, type RefactorParts, askOr } from '../refactor-parts.ts'
import { isFitting, type ComputedName } from '../../../../languages/reflection.ts'
import { filesWith } from './find-occurrences.ts'
import { moduleName } from './modules.ts'
import { undecidedAt, type Occurrence, type Target } from './occurrence.ts'
import { computedKeys, type KeyPlace } from '../../callers/computed/computed-keys.ts'
import { keyedScripts } from '../../callers/computed/keyed-scripts.ts'

/** The part of the remaining time for judging objects: the rest is for trying the change. */
const SHARE = 0.5

/** Places where a script may name the target by a computed key. */
async function keyOccurrences(
  parts: RefactorParts,
  { path, name, position, isData }: Target,
  isDeleted: boolean,
): Promise<readonly Occurrence[]> {
  const { sources, mayRead, deadline } = parts
  const { text, offsetOf } = sources(path)
  const symbol = { path, name, text, at: offsetOf(position) }
  const scripts = () => keyedScripts(parts, path)
  const now = performance.now()
  const until = now + (deadline.at - now) * SHARE
  const keyPlaces = await askOr(
    parts,
    path,
    ({ server }) => computedKeys(symbol, scripts, { server, mayRead, source: sources, until }),
    () => computedKeys(symbol, scripts, undefined),
  )
  return keyPlaces
    .filter(isUse)
    .map(each => undecidedAt({ path: each.path, start: each.start, end: each.end, kind: 'string' }, WHY[each.how]))

  function isUse({ how }: KeyPlace): boolean {
    // Values have no names, and lists of the names of data are judged on their own.
    return how === 'values' ? isDeleted : how !== 'names' || !isData
  }
}

const WHY: Readonly<Record<KeyPlace['how'], string>> = {
  one: 'a computed name there may be it',
  names: 'its name is listed there',
  values: 'it is one of the values there',
  type: 'its name is one of the type',
}

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
