import { languageAt } from '../../../languages/registry.ts'
import type { Packages } from '../resolve/packages.ts'
import { dottedValue } from '../../model/grammar/values.ts'
import { parseOccurrences } from '../../model/occurrences/parse-occurrences.ts'
import { withDots } from '../callers/defining-file.ts'
import { inOrder, placeAt, type Place } from '../callers/places.ts'
import { trackNames, type NameDependencies } from '../resolve/name-dependencies.ts'
import { callTargets, symbolsOf } from '../resolve/call-targets.ts'
import { counterparts } from '../resolve/counterparts.ts'
import { whyImplicit } from '../resolve/operators.ts'
import { areOverloads } from '../resolve/overloads.ts'
import { reaches } from '../resolve/overriding.ts'
import {
  isSame,
  isType,
  childrenNamed,
  symbolAt,
  type Found,
  type Project,
  type ProjectFile,
} from '../resolve/project.ts'
import type { Resolution } from '../resolve/resolution.ts'
import { resolveProject } from '../resolve/resolver.ts'
import { deadlineIn } from '../servers/deadline.ts'
import { sourceOf } from '../source.ts'
import type { CodeQuestion, Locations } from '../types.ts'
import { findSymbols } from './declared-of.ts'
import { fromProject, type SyntaxParts } from './read-project.ts'

interface Look {
  readonly project: Project
  readonly resolution: Resolution
  readonly asked: NameDependencies
}

/** Every use of a name, as far as scopes, imports and written types tell. */
export async function syntacticReferences(
  parts: SyntaxParts,
  path: string,
  question: CodeQuestion,
): Promise<Locations> {
  const { found, texts, unread } = await searchProject(parts, path, question, look => {
    const { names: all } = look.resolution
    const target = counterparts(findSymbols(look.project.files.get(path), question.name, path), all, question.name)
    for (const each of target) look.asked.mentioned(symbolAt(each)?.name ?? '')
    const names = new Set(target.flatMap(each => symbolAt(each)?.name ?? []))
    const uses = look.resolution.names.files.map(file => ({ file, isUse: usesIn(look, file, target) }))
    // Operators that call it do not contain its name.
    const others = target.flatMap(each => otherOverloads(look.resolution, each, target))
    const isUnsure = others.length > 0 || target.some(each => whyImplicit(each) !== undefined)
    return { names, target, uses, others, isUnsure }
  })
  const { names, target, uses, others, isUnsure } = found
  const places: Place[] = []
  for (const { file, isUse } of uses)
    for (const name of [...names, ...aliases(file, names)]) {
      const text = texts.get(file.path)
      if (text === undefined || !text.includes(name)) continue
      const source = sourceOf(file.path, text)
      const targetStarts = new Set(target.flatMap(each => (each.file === file ? [symbolAt(each)?.nameAt] : [])))
      const isOther = (at: number) => others.some(each => each.file === file && symbolAt(each)?.nameAt === at)
      for (const { start, kind } of (await parseOccurrences(file.path, text, name)) ?? []) {
        if (
          !/^(name|member|key|shorthand)$/.test(kind) ||
          isOther(start) ||
          (targetStarts.has(start) && file.path === path)
        )
          continue
        const place = placeAt(source, source.positionOf(start))
        if (isUse(name, place.line, qualifierOf(text, start))) places.push(place)
      }
    }
  const answer = locationsOf(places, unread)
  return { ...answer, partial: answer.partial || isUnsure }
}

/** The overloads of a name besides the target: calls that do not tell which they run are listed for each. */
const otherOverloads = (resolution: Resolution, at: Found, target: readonly Found[]): readonly Found[] =>
  resolution.names
    .functions(symbolAt(at)?.name ?? '', at.file)
    .filter(each => areOverloads(resolution, at, each) && !target.some(one => isSame(one, each)))

/** The definition of a name in a file: its own, or an imported one. */
export async function syntacticDefinition(
  parts: SyntaxParts,
  path: string,
  question: CodeQuestion,
): Promise<Locations> {
  const { found, texts, unread } = await searchProject(parts, path, question, look => {
    const file = look.project.files.get(path)
    return definitions(look, file, path, question.name)
  })
  return locationsOf(placesOf(found, texts), unread)
}

/** Implementations of an interface, a class or one of their methods. */
export async function syntacticImplementations(
  parts: SyntaxParts,
  path: string,
  question: CodeQuestion,
): Promise<Locations> {
  const { found, texts, unread } = await searchProject(parts, path, question, look =>
    implementing(look, findSymbols(look.project.files.get(path), question.name, path)),
  )
  return locationsOf(placesOf(found, texts), unread)
}

async function searchProject<T>(
  parts: SyntaxParts,
  path: string,
  { deadlineMs, signal, isEnough }: CodeQuestion,
  find: (look: Look) => T,
): Promise<{ readonly found: T; readonly texts: ReadonlyMap<string, string>; readonly unread: readonly string[] }> {
  const answer = (project: Project, to: NameDependencies, packages: Packages, texts: ReadonlyMap<string, string>) => {
    const tracker = trackNames(to)
    const resolution = resolveProject(project, [], tracker, packages)
    const outcome = find({ project, resolution, asked: tracker })
    return { found: outcome, texts, unread: tracker.unread(resolution.names.files) }
  }
  // An early result replaces a server's, and is therefore partial.
  return fromProject(parts, path, deadlineIn(deadlineMs, signal), answer, { isEnough })
}

/** Returns a test of whether a name on a line of a file refers to the target. */
function usesIn({ resolution }: Look, file: ProjectFile, target: readonly Found[]) {
  const isTarget = (found: readonly Found[]) =>
    found.some(each => target.some(one => isSame(each, one) || reaches(resolution, each, one)))
  return (name: string, line: number, of: string): boolean => {
    const calls = file.code.references.filter(each => each.line === line && nameOf(each.value) === name)
    if (calls.some(each => isTarget(callTargets(resolution, each, { file, by: each.by })))) return true
    if (calls.length > 0 && target.every(each => !isType(each))) return false
    const binding = file.code.imports.find(each => each.line === line && each.name === name)
    const value = dottedValue(binding?.local ?? (of === '' ? name : `${of}.${name}`))
    return isTarget(symbolsOf(resolution, value, { file, by: innermost(file, line) }))
  }
}

/** The local names of these in a file. */
const aliases = ({ code }: ProjectFile, names: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(code.imports.flatMap(({ name, local }) => (names.has(name) && local !== name && local !== '' ? [local] : [])))

const nameOf = (value: readonly unknown[]): unknown =>
  value[0] === 'name' || value[0] === 'member' ? value.at(-1) : undefined

/** The innermost symbol around a line; -1 for the file. */
function innermost({ code }: ProjectFile, line: number): number {
  let best = -1
  for (const [number, { from, to, kind }] of code.symbols.entries())
    if (from < line && line <= to && /^(function|method|class|interface|enum)$/.test(kind)) best = number
  return best
}

function definitions({ resolution }: Look, file: ProjectFile | undefined, path: string, name: string) {
  const plain = name.slice(name.lastIndexOf('.') + 1)
  const isImported = file?.code.imports.some(each => each.local === plain) ?? false
  if (file && isImported) {
    const importedSymbols = symbolsOf(resolution, ['name', plain], { file, by: -1 })
    if (importedSymbols.length > 0) return importedSymbols
  }
  const declarations = counterparts(findSymbols(file, name, path), resolution.names, name)
  // Leaves out forward declarations.
  const bodies = declarations.filter(each => !isDeclarationOnly(each))
  return bodies.length > 0 ? bodies : declarations
}

const isDeclarationOnly = ({ file, number }: Found): boolean =>
  languageAt(file.path).headers?.test(file.path) === true &&
  file.code.symbols[number]?.from === file.code.symbols[number]?.to

function implementing({ resolution, asked }: Look, target: readonly Found[]): readonly Found[] {
  const holders = target.map(each => (isType(each) ? each : { file: each.file, number: symbolAt(each)?.parent ?? -1 }))
  for (const each of holders) asked.mentioned(symbolAt(each)?.name ?? '')
  const implementations: Found[] = []
  for (const file of resolution.names.files)
    for (const number of file.code.symbols.keys()) {
      const type = { file, number }
      if (!isType(type) || !isBelow(resolution, type, holders)) continue
      asked.mentioned(symbolAt(type)?.name ?? '')
      for (const each of target)
        implementations.push(
          ...(isType(each)
            ? [type]
            : childrenNamed(file, number, symbolAt(each)?.name ?? '').filter(one => reaches(resolution, each, one))),
        )
    }
  return implementations
}

const isBelow = (resolution: Resolution, type: Found, holders: readonly Found[]): boolean =>
  resolution.above(type).some(each => each.kind === 'instance' && holders.some(one => isSame(each.at, one)))

/** The qualifier before a name, such as `a.b`; empty if there is none. */
function qualifierOf(text: string, start: number): string {
  const [, of = ''] = /((?:\w+(?:\.|::|\\))*\w+)(?:\.|::|\\)$/.exec(text.slice(Math.max(0, start - 200), start)) ?? []
  return withDots(of)
}

/** The position of each symbol's name. */
const placesOf = (found: readonly Found[], texts: ReadonlyMap<string, string>): readonly Place[] =>
  found.map(({ file, number }) => {
    const { nameAt, start = 0 } = file.code.symbols[number] ?? {}
    const source = sourceOf(file.path, texts.get(file.path) ?? '')
    return placeAt(source, source.positionOf(nameAt ?? start))
  })

const locationsOf = (places: readonly Place[], unread: readonly string[]): Locations => ({
  places: inOrder(places),
  basis: { by: 'syntax' },
  partial: unread.length > 0,
  ...(unread.length > 0 && { unread }),
})
