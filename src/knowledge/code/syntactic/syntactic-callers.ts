import { isScript, languageOf } from '../../../languages/registry.ts'
import type { Reference, Value } from '../../../languages/file-model/file-model.ts'
import { callChains } from '../callers/call-chains.ts'
import { moduleNode, type CallNode, type Use } from '../callers/call-node.ts'
import { inOrder } from '../callers/places.ts'
import { NO_DEPENDENCIES, trackNames, type NameDependencies } from '../resolve/name-dependencies.ts'
import { isConstructorName } from '../resolve/call-targets.ts'
import { counterparts } from '../resolve/counterparts.ts'
import { outsideCallers, typeAround, type Texts } from '../resolve/outside-callers.ts'
import { operatorFor, whyImplicit } from '../resolve/operators.ts'
import type { Packages } from '../resolve/packages.ts'
import { CERTAIN, whyCalled } from '../resolve/possible-calls.ts'
import { holderOf, isSame, isType, symbolAt, type Found, type Project, type ProjectFile } from '../resolve/project.ts'
import type { Resolution } from '../resolve/resolution.ts'
import { resolveProject } from '../resolve/resolver.ts'
import { deadlineIn } from '../servers/deadline.ts'
import type { Callers, CodeQuestion, PossibleCall } from '../types.ts'
import { findSymbols, declaredOf, wholeName } from './declared-of.ts'
import { withMentions } from './operation-mentions.ts'
import { namedIn, whyComputed } from './lookups.ts'
import { fromProject, type SyntaxParts } from './read-project.ts'
import { withComputedKeys } from './script-keys.ts'

/** Callers of a function, as far as scopes, imports and written types tell. */
export async function syntacticCallers(
  parts: SyntaxParts,
  path: string,
  { name, deadlineMs, signal, depth, isEnough }: CodeQuestion & { readonly depth: number },
): Promise<Callers> {
  let unread = 0
  const [answer, read] = await fromProject(
    parts,
    path,
    deadlineIn(deadlineMs, signal),
    (project, asked, packages, texts, isOver) =>
      [callersIn(project, path, name, depth, { asked, packages, texts, isOver }), texts] as const,
    { isEnough, onUnread: count => (unread = count) },
  )
  const fullAnswer = await withComputedKeys(await withMentions(answer, read, isEnough), read)
  return unread === 0 ? fullAnswer : { ...fullAnswer, unknown: [...fullAnswer.unknown, notRead(unread)], partial: true }
}

const notRead = (files: number): string =>
  `${files} ${files === 1 ? 'file' : 'files'} that may matter ${files === 1 ? 'was' : 'were'} not read in time`

/** A function whose callers are searched. */
interface Target {
  readonly node: CallNode
  readonly found: readonly Found[]
}

interface CallSite {
  readonly use: Use
  readonly by?: Found
}

/** What is known besides the files that are read. */
interface Context {
  readonly asked?: NameDependencies
  readonly packages?: Packages
  readonly texts?: Texts
  readonly isOver?: () => boolean
}

/** The same in files that are already read. */
export function callersIn(
  project: Project,
  path: string,
  name: string,
  depth: number,
  { asked: to = NO_DEPENDENCIES, packages, texts = new Map(), isOver = () => false }: Context = {},
): Callers {
  const tracker = trackNames(to)
  // A script may re-export names here without writing them.
  if (isScript(languageOf(path) ?? '')) to.written('export *')
  const overloads = findSymbols(project.files.get(path), name, path)
  const resolution = resolveProject(project, [], tracker, packages)
  const { names } = resolution
  const target: Target = { node: nodeOf(overloads), found: counterparts(overloads, names, name) }
  const possible = new Map<string, PossibleCall>()
  const unknown = new Set<string>()
  const usesOf = new Map<string, readonly Use[]>()
  let layer: readonly Target[] = [target]
  for (let level = 0; level < depth && layer.length > 0; level++) {
    const next = new Map<string, Target>()
    for (const callee of layer) {
      if (isOver()) break
      const calleeNames = calledNames(resolution, callee.found)
      for (const each of calleeNames) tracker.mentioned(writtenAs(each))
      for (const operator of callee.found.flatMap(each => operatorFor(each) ?? [])) tracker.written(operator)
      if (callee === target) for (const each of callee.found) to.mentioned(typeAround(each) ?? '')
      for (const each of callee.found.flatMap(one => whyMore(resolution, one, texts))) unknown.add(each)
      for (const file of names.files)
        for (const place of namedIn(file, callee.found))
          maybe(callee, file, place, 'a text of its name, by which it may be looked up')
      const sites = names.files.flatMap(file =>
        isOver() ? [] : sitesIn(resolution, file, namesFor(file, calleeNames), callee, target, maybe),
      )
      usesOf.set(
        callee.node.key,
        sites.map(({ use }) => use),
      )
      for (const { use, by } of sites)
        if (by && !usesOf.has(use.by.key)) next.set(use.by.key, { node: use.by, found: counterparts([by], names) })
    }
    layer = [...next.values()].filter(({ node }) => !usesOf.has(node.key))
  }
  const { callers, isCut } = callChains(target.node, usesOf, depth)
  const unread = tracker.unread(names.files)
  if (isOver()) unknown.add('The files that were read were not all looked through in time')
  if (isCut) unknown.add('There are too many call chains to list')
  if (unread.length > 0) unknown.add(`Files that mention it do not parse: ${unread.join(', ')}`)
  return {
    target: declaredOf(overloads.at(-1) ?? overloads[0]),
    callers,
    possible: inOrder(possible.values()),
    unknown: [...unknown],
    basis: { by: 'syntax' },
    partial: possible.size > 0 || unknown.size > 0,
    ...(unread.length > 0 && { unread }),
  }

  /**
   * Lists possible callers of the function in question; a possible call of one of its callers marks that caller as
   * open.
   */
  function maybe(of: Target, file: ProjectFile, { by, line }: Pick<Reference, 'by' | 'line'>, why: string): void {
    if (of !== target) {
      unknown.add(`${of.node.name}, one of its callers, may have more callers of its own`)
      return
    }
    const holder = namedHolder({ file, number: by })
    possible.set(`${file.path}:${line}`, { name: holder ? wholeName(holder) : '<module>', path: file.path, line, why })
  }
}

/** The calls in a file that run one of these; reports possible ones to `maybe`. */
function sitesIn(
  resolution: Resolution,
  file: ProjectFile,
  names: ReadonlySet<string>,
  asked: Target,
  target: Target,
  maybe: (of: Target, file: ProjectFile, reference: Reference, why: string) => void,
): readonly CallSite[] {
  const isInvoked = asked.found.some(each =>
    /^(invoke|__call__|__invoke|callAsFunction)$/.test(symbolAt(each)?.name ?? ''),
  )
  return file.code.references.flatMap(reference => {
    if (!isInvoked && !isNamed(reference.value, names, file)) return []
    const why = whyCalled(resolution, reference, asked.found, { file, by: reference.by })
    if (why !== undefined && why !== CERTAIN) maybe(asked, file, reference, why)
    if (why !== CERTAIN) return []
    const by = namedHolder({ file, number: reference.by })
    const isTarget = by && target.found.some(each => isSame(each, by))
    const node = isTarget ? target.node : by ? nodeOf([by]) : moduleNode(file.path)
    return { use: { by: node, path: file.path, line: reference.line }, ...(by && { by }) }
  })
}

/** Why a function may have calls that cannot be searched for. */
function whyMore(resolution: Resolution, at: Found, texts: Texts): readonly string[] {
  const unwritten = whyImplicit(at)
  const computedReason = whyComputed(resolution.names.files, at)
  return [
    ...(unwritten === undefined ? outsideCallers(resolution, at, wholeName(at), texts) : [unwritten]),
    ...(computedReason === undefined ? [] : [computedReason]),
  ]
}

/** A Ruby setter `name=` is written without its sign. */
const writtenAs = (name: string): string => (/^\w+=$/.test(name) ? name.slice(0, -1) : name)

/** Names written at every call of one of these: its own; for a constructor also its class and derived classes. */
function calledNames({ above, names }: Resolution, asked: readonly Found[]): ReadonlySet<string> {
  const callNames = new Set<string>()
  for (const at of asked) {
    const { name = '', receiver } = symbolAt(at) ?? {}
    const type = isType(at) ? at : holderOf(at)
    const holder = receiver ?? symbolAt(type)?.name
    callNames.add(name)
    if (holder === undefined || !(isType(at) || isConstructorName(at.file.code.language, name) || name === holder))
      continue
    callNames.add(holder)
    for (const file of names.files)
      for (const [number, symbol] of file.code.symbols.entries())
        if (symbol.extends && above({ file, number }).some(each => each.kind === 'instance' && isSame(each.at, type)))
          callNames.add(symbol.name)
  }
  addOtherNames(callNames, names.files)
  return callNames
}

/** Adds the names under which files re-export one of these: `export { a as b }`, transitively. */
function addOtherNames(to: Set<string>, files: readonly ProjectFile[]): void {
  const renaming = files.filter(({ code }) => code.exports.length > 0)
  for (let before = -1; before !== to.size;) {
    before = to.size
    for (const file of renaming)
      for (const { name, value } of file.code.exports)
        if (name !== 'default' && !to.has(name) && isNamed(value, to, file)) to.add(name)
  }
}

/** The names under which a file may call these: the names themselves, and its import aliases. */
function namesFor({ code }: ProjectFile, called: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set(called)
  for (const { name, local } of code.imports) if (names.has(name) && local !== '') names.add(local)
  return names
}

function isNamed(value: Value, names: ReadonlySet<string>, file: ProjectFile): boolean {
  switch (value[0]) {
    case 'name':
      return names.has(value[1])
    case 'element':
      return isNamed(value[1], names, file)
    case 'member':
    case 'sign':
      return names.has(value[2])
    case 'symbol':
      return names.has(file.code.symbols[value[1]]?.name ?? '')
    case 'import':
      return names.has(file.code.imports[value[1]]?.name ?? '') || file.code.imports[value[1]]?.name === 'default'
    case 'either': {
      const [, ...all] = value
      return all.some(each => isNamed(each, names, file))
    }
    default:
      return value[0] === 'super'
  }
}

/** Code of a class outside of its methods belongs to the class; that of an unnamed class to the symbol around it. */
function namedHolder({ file, number }: Found): Found | undefined {
  for (let at = number; at >= 0; at = file.code.symbols[at]?.parent ?? -1)
    if (file.code.symbols[at]?.name !== '') return { file, number: at }
  return undefined
}

function nodeOf([first]: readonly [Found, ...Found[]]): CallNode {
  const { path } = first.file
  const name = wholeName(first)
  return { key: `${path} ${symbolAt(first)?.from} ${name}`, name, path, positions: [] }
}
