import type { CodeParts } from '../code-parts.ts'
import { KIND } from '../servers/lsp-schemas.ts'
import type { Callers, CodeQuestion, Declared } from '../types.ts'
import { nodeKey, type CallNode } from './call-node.ts'
import { requestedTarget } from './choose-target.ts'
import { dispatchedUses, overriddenMethods } from './classes/overridden-methods.ts'
import { computedCalls } from './computed/computed-calls.ts'
import { findCallers } from './find-callers.ts'
import type { NamedSymbol } from './named-symbol.ts'
import { operationUses } from './operation-uses.ts'
import { inOrder, shownPlaces } from './places.ts'
import { askServer, type ServerQuestion } from './ask-server.ts'
import { requiredOf } from './required/required-of.ts'
import { sameNameUses } from './same-name.ts'
import { languageAt } from '../../../languages/registry.ts'
import { filesOfLanguage } from './files-of-language.ts'
import type { UseParts } from './mentions.ts'
import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'
import type { IndexEngine } from '../../index/types.ts'
import { headsOf } from '../../model/heads-of.ts'
import type { FileQueries } from './file-queries.ts'

const KINDS = new Map<number, CodeSymbol['kind']>([
  [KIND.class, 'class'],
  [KIND.struct, 'class'],
  [KIND.interface, 'interface'],
  [KIND.enum, 'enum'],
  [KIND.method, 'method'],
  [KIND.constructor, 'method'],
  [KIND.function, 'function'],
  [KIND.namespace, 'module'],
  [KIND.module, 'module'],
])

/** A symbol at the server's position, completed with facts from the index. */
async function declaredTarget(
  symbol: NamedSymbol,
  path: string,
  looks: FileQueries,
  index: Pick<IndexEngine, 'facts'>,
): Promise<Declared> {
  const from = symbol.range.start.line + 1
  const to = symbol.range.end.line + 1
  const facts = await index.facts(path)
  const within = symbol.name.split('.').slice(0, -1)
  const candidates = facts?.symbols.filter(one => one.name === symbol.plain && one.from <= to && one.to >= from) ?? []
  const fact = candidates.find(one => one.within.at(-1) === within.at(-1)) ?? candidates[0]
  const head = headsOf(path, looks.source(path).text, facts?.symbols ?? [])
  return {
    name: symbol.plain,
    kind: fact?.kind ?? KINDS.get(symbol.kind) ?? 'variable',
    from: fact?.from ?? from,
    to: fact?.to ?? to,
    within: fact?.within ?? within,
    exported: fact?.exported ?? false,
    path,
    signature: await head({ name: symbol.plain, within: fact?.within ?? within, from, to }),
  }
}

/** Judging single receivers takes no longer than this, and no more than this part of the remaining time. */
const LONGEST_MS = 5000
const PART = 0.5

/** The callers of a function, found by its language server. */
export const callers = (parts: CodeParts, question: CodeQuestion & { readonly depth: number }): Promise<Callers> =>
  askServer(parts, question, async put => {
    const { server, looks, path, deadline, isPartial } = put
    const overloads = await requestedTarget(put, question.name)
    // The last one has the body.
    const last = overloads.at(-1)
    if (!last) throw new Error('A chosen target is at least one symbol')
    const target = nodeFor(overloads, last, put)
    const ownKeys = new Set(target.positions.map(at => nodeKey(path, looks.source(path).offsetOf(at))))
    const requiredUses = requiredOf(parts, deadline, server)
    const overridden = overriddenMethods({ server, looks, mayRead: parts.mayRead })
    const callParts = { ...parts, server, looks, required: requiredUses, overridden }
    const budget = () => performance.now() + Math.min(LONGEST_MS, (deadline.at - performance.now()) * PART)
    const unknown: string[] = []
    const callerSearch = await findCallers(target, ownKeys, question.depth, callParts, async known => {
      const dispatchedCalls = await dispatchedUses(target, callParts)
      const sameName = await sameNameUses(
        target,
        { ...known, possible: [...known.possible, ...dispatchedCalls] },
        callParts,
        budget,
      )
      const operatorCalls = await operationUses(target, callParts, budget)
      unknown.push(...sameName.unknown, ...operatorCalls.unknown)
      const possible = [...dispatchedCalls, ...sameName.possible, ...operatorCalls.possible]
      return { calls: [...sameName.calls, ...operatorCalls.calls], possible }
    })
    if (callerSearch.isCut)
      unknown.push('The search was cut short: the time was over, or there are too many call chains')
    if (isPartial) unknown.push(`${server.name} has not seen every file of the workspace`)
    if (requiredUses.isPartial())
      unknown.push('Scripts that load its module by require() use it in ways that cannot be followed')
    if (overridden.isPartial()) unknown.push(`A base class outside the workspace may call ${target.name}`)
    unknown.push(...(await implicitCalls(callParts, target)), ...(await computedCalls(target, callParts, budget)))
    const [usage] = await looks.usages(path, target.positions.slice(-1))
    for (const name of usage?.declares?.decorators ?? []) unknown.push(`${name}, which decorates it, may call it`)
    for (const name of callerSearch.open) unknown.push(`${name}, one of its callers, may have more callers of its own`)
    const possible = inOrder(
      callerSearch.possible.map(({ by, path: file, line, why }) => ({ name: by.name, path: file, line, why })),
    )
    return {
      target: await declaredTarget(last, path, looks, parts.index),
      callers: callerSearch.callers,
      possible,
      unknown,
      basis: { by: 'server', server: server.name },
      partial: possible.length > 0 || unknown.length > 0,
    }
  })

function nodeFor(
  overloads: readonly NamedSymbol[],
  { name, kind }: NamedSymbol,
  { looks, path }: ServerQuestion,
): CallNode {
  const positions = overloads.map(({ selection }) => selection.start)
  const nameAt = looks.source(path).offsetOf(positions.at(-1) ?? { line: 0, character: 0 })
  const isClass = kind === KIND.class || kind === KIND.struct || kind === KIND.interface
  return { key: nodeKey(path, nameAt), name, path, positions, isClass }
}

/** Why a function may be called without its name, or by a name in a string. */
async function implicitCalls(parts: CodeParts & UseParts, node: CallNode): Promise<readonly string[]> {
  const { hasMacros, whyImplicit } = languageAt(node.path)
  const name = /\[[^\]]*\]$|[^.]*$/.exec(node.name)?.[0] ?? node.name
  const isMember = node.name.includes('.')
  const ownTexts = [parts.looks.source(node.path).text]
  if (!hasMacros || isMember) {
    const why = node.isClass ? undefined : whyImplicit?.({ name, isMember, texts: ownTexts })
    return why === undefined ? [] : [why]
  }
  const texts: string[] = []
  const lookups: { readonly path: string; readonly line: number }[] = []
  const lookupPattern = new RegExp(`\\b(?:dlv?sym|GetProcAddress|alias|ifunc|weakref)\\w*\\s*\\([^;{}]*?"${name}"`, 'g')
  for await (const { path, text } of filesOfLanguage(parts, node.path)) {
    if (!text.includes(name)) continue
    texts.push(text)
    const { positionOf } = parts.looks.source(path)
    for (const { index, 0: whole } of text.matchAll(lookupPattern))
      lookups.push({ path, line: positionOf(index + whole.length - 1).line + 1 })
  }
  const why = whyImplicit?.({ name, isMember, texts })
  return [
    ...(why === undefined ? [] : [why]),
    ...(lookups.length > 0 ? [`It is looked up by its name as a string: ${shownPlaces(lookups)}`] : []),
  ]
}
