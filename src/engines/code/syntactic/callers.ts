import { callChains } from '../callers/call-chains.ts'
import { moduleNode, type CallNode, type Use } from '../callers/call-node.ts'
import { symbolAt, type Found, type Project, type ProjectFile } from '../graph/resolve/project.ts'
import { deadlineIn } from '../servers/deadline.ts'
import type { OwnSymbol, Value } from '../symbols/file-code.ts'
import type { Callers, CodeQuestion } from '../types.ts'
import { NOBODY, rememberNames, type AskedNames } from './asked-names.ts'
import { chosen } from './chosen.ts'
import { declaredOf, wholeName } from './declared-of.ts'
import { familyOf } from './family.ts'
import { counterparts } from './holders.ts'
import { mayMean } from './may-mean.ts'
import { meaningsOf } from './meaning.ts'
import { isSame } from './meaning-words.ts'
import { OWN_PACKAGES, type Packages } from './packages.ts'
import { fromProject } from './read-project.ts'
import { bySign, isUnseen, signFor } from './signs.ts'
import type { SyntaxParts } from './syntax-parts.ts'
import { tablesOf } from './tables.ts'
import { reaches, targetsOf } from './targets.ts'

/** Whoever calls a function, as far as scopes, imports and written types say. */
export async function syntacticCallers(
  parts: SyntaxParts,
  path: string,
  { name, deadlineMs, signal, depth }: CodeQuestion & { readonly depth: number },
): Promise<Callers> {
  return fromProject(parts, path, deadlineIn(deadlineMs, signal), (project, asked, packages) =>
    callersIn(project, path, name, depth, { asked, packages }),
  )
}

/** The same in files that are read already. */
export function callersIn(
  project: Project,
  path: string,
  name: string,
  depth: number,
  { asked: to = NOBODY, packages = OWN_PACKAGES }: { readonly asked?: AskedNames; readonly packages?: Packages } = {},
): Callers {
  const noted = rememberNames(to)
  const overloads = chosen(project.files.get(path), name, path)
  const tables = tablesOf(project, familyOf(project.files.get(path)?.code.language ?? ''), noted, packages)
  const meanings = meaningsOf(tables)
  const target = nodeOf(overloads)
  const asked = counterparts(overloads, tables)
  let isUnsure = false
  const usesOf = new Map<string, readonly Use[]>()
  let layer: readonly { readonly node: CallNode; readonly asked: readonly Found[] }[] = [{ node: target, asked }]
  for (let level = 0; level < depth && layer.length > 0; level++) {
    const next = new Map<string, { readonly node: CallNode; readonly asked: readonly Found[] }>()
    for (const { node, asked: wanted } of layer) {
      for (const each of wanted.flatMap(calledNames)) noted.mentioned(each)
      for (const sign of wanted.flatMap(each => signFor(each) ?? [])) noted.written(sign)
      if (wanted.some(isUnseen)) isUnsure = true
      const uses = tables.files.flatMap(file => usesIn(file, wanted))
      usesOf.set(
        node.key,
        uses.map(({ use }) => use),
      )
      for (const { use, by } of uses)
        if (by && !usesOf.has(use.by.key)) next.set(use.by.key, { node: use.by, asked: counterparts([by], tables) })
    }
    layer = [...next.values()].filter(({ node }) => !usesOf.has(node.key))
  }
  const { callers, isCut } = callChains(target, usesOf, depth)
  const last = overloads.at(-1)
  if (!last) throw new Error('A chosen target is at least one symbol')
  const unread = noted.unread(tables.files)
  const partial = isCut || isUnsure || unread.length > 0
  return { target: declaredOf(last), callers, basis: { by: 'syntax' }, partial, ...(unread.length > 0 && { unread }) }

  function usesIn(file: ProjectFile, wanted: readonly Found[]): readonly { readonly use: Use; readonly by?: Found }[] {
    const names = namesFor(file, wanted)
    const hasSigns = wanted.some(each => signFor(each) !== undefined)
    return file.code.references.flatMap(reference => {
      const where = { file, by: reference.by }
      const isWanted = reference.kind !== 'use' && isNamed(reference.value, names)
      const sign = hasSigns ? bySign(meanings, reference, names, where) : undefined
      if (sign?.isUnsure) isUnsure = true
      const called = [...(isWanted ? targetsOf(meanings, reference, where) : []), ...(sign?.called ?? [])]
      if (isWanted && called.length === 0 && mayMean(meanings, reference, wanted, where)) isUnsure = true
      // `super` runs that one, whatever overrides it.
      const isReached = isAbove(reference.value) ? isSame : (one: Found, other: Found) => reaches(meanings, one, other)
      if (!called.some(each => wanted.some(one => isReached(each, one)))) return []
      const by = holderOf({ file, number: reference.by })
      const isTarget = by && asked.some(each => each.file === file && each.number === by.number)
      const node = isTarget ? target : by ? nodeOf([by]) : moduleNode(file.path)
      return { use: { by: node, path: file.path, line: reference.line }, ...(by && { by }) }
    })
  }
}

const CONSTRUCTORS = /^(constructor|init|initialize|__init__|__construct)$/

/** Names that are written wherever it is called. */
function calledNames(at: Found): readonly string[] {
  const { name = '', parent = -1, receiver } = symbolAt(at) ?? {}
  const holder = receiver ?? at.file.code.symbols[parent]?.name
  return holder !== undefined && (CONSTRUCTORS.test(name) || name === holder) ? [name, holder] : [name]
}

/** How a file may call it: by its own name, by that of its class, and by what it imports it as. */
function namesFor({ code }: ProjectFile, asked: readonly Found[]): ReadonlySet<string> {
  const own = asked.flatMap(each => {
    const symbol = symbolAt(each)
    const holder = symbol && each.file.code.symbols[symbol.parent]
    return [symbol?.name ?? '', ...(holder ? [holder.name] : [])]
  })
  const names = new Set(own)
  for (const { name, local } of code.imports) if (names.has(name) && local !== '') names.add(local)
  return names
}

function isNamed(value: Value, names: ReadonlySet<string>): boolean {
  if (value[0] === 'name') return names.has(value[1])
  if (value[0] === 'member' || value[0] === 'sign') return names.has(value[2])
  if (value[0] === 'either') return value.slice(1).some(each => isNamed(each as Value, names))
  return value[0] === 'super'
}

const isAbove = (value: Value): boolean => value[0] === 'member' && value[1][0] === 'super'

/** Code of a class outside of its methods is its own, and of one without a name that of what it stands in. */
function holderOf({ file, number }: Found): Found | undefined {
  const symbol = file.code.symbols[number]
  if (symbol?.name === '') return holderOf({ file, number: symbol.parent })
  return symbol && { file, number }
}

function nodeOf(overloads: readonly Found[]): CallNode {
  const [first] = overloads
  if (!first) throw new Error('A node is at least one symbol')
  const symbol: OwnSymbol | undefined = symbolAt(first)
  const { path } = first.file
  return { key: `${path} ${symbol?.from} ${wholeName(first)}`, name: wholeName(first), path, items: [], positions: [] }
}
