import { languageAt } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import { wordOf } from '../../../languages/file-model/word-of.ts'
import type { CodeParts } from '../code-parts.ts'
import type { CallNode, FoundUses, PossibleUse, Use } from './call-node.ts'
import { filesOfLanguage } from './files-of-language.ts'
import { each } from './find-callers.ts'
import { placesIn, type UsedPlace, type UseParts } from './mentions.ts'
import { shownPlaces } from './places.ts'
import { receiverJudge } from './receiver-judge.ts'

export interface OpenUses extends FoundUses {
  /** Why there may be more. */
  readonly unknown: readonly string[]
}

const NOT_JUDGED = 'same name; what it is called on was not judged in time'

/** Calls by the same name that the server does not count: on receivers of unknown type, and by strings. */
export async function sameNameUses(
  node: CallNode,
  knownUses: FoundUses,
  parts: CodeParts & UseParts,
  budget: () => number,
): Promise<OpenUses> {
  const name = node.name.slice(node.name.lastIndexOf('.') + 1)
  const isMember = node.name.includes('.') || isAssigned(node, parts)
  // A module seldom has an unknown type, unless it may be the value of anything. Special names are everywhere.
  if (node.isClass || name.startsWith('__') || (!isMember && !languageAt(node.path).modulesAreValues))
    return { calls: [], possible: [], unknown: [] }
  const knownLines = new Set([...knownUses.calls, ...knownUses.possible].map(lineKey))
  const strangers: UsedPlace[] = []
  const strings: UsedPlace[] = []
  for await (const { path, text } of filesOfLanguage(parts, node.path)) {
    if (!text.includes(name)) continue
    const source = parts.looks.source(path)
    const positions = Array.from(text.matchAll(wordOf(name, 'gu')), ({ index }) => source.positionOf(index))
    for (const place of positions.length > 0 ? await placesIn(path, positions, parts.looks) : []) {
      const { role, receiver } = place.usage
      if (role === 'call' && receiver !== undefined && !knownLines.has(lineKey(place))) strangers.push(place)
      if (role === 'named') strings.push(place)
    }
  }
  const strangerUses = await judgeStrangers(strangers, node, parts, budget())
  const unknown = strings.length > 0 ? [`It is looked up by its name as a string: ${shownPlaces(strings)}`] : []
  return { ...strangerUses, unknown }
}

/** `Cart.prototype.add = function () {}`: a server may know neither whose member it is nor who calls it. */
function isAssigned({ path, positions }: CallNode, { looks }: UseParts): boolean {
  const { text, offsetOf } = looks.source(path)
  return positions.some(position =>
    MEMBER.test(text.slice(Math.max(0, offsetOf(position) - LONGEST), offsetOf(position))),
  )
}

const LONGEST = 200
/** Before its name, or before its value. */
const MEMBER = /[\w$)\]]\s*\.\s*(?:[\w$]+\s*=\s*(?:async\s+)?)?$/

const lineKey = ({ path, line }: Use): string => `${path}:${line}`

async function judgeStrangers(
  places: readonly UsedPlace[],
  node: CallNode,
  parts: UseParts,
  until: number,
): Promise<FoundUses> {
  const calls: Use[] = []
  const possible: PossibleUse[] = []
  const judge = receiverJudge(node, parts)
  await each(places, async place => {
    const verdict = performance.now() < until ? await inTime(judge.stranger(place), NOT_JUDGED) : NOT_JUDGED
    if (verdict === 'it') calls.push(place)
    else if (verdict !== undefined) possible.push({ ...place, why: verdict })
  })
  return { calls, possible }
}

/** The server's result, or `late` if it does not arrive in time. */
export async function inTime<T, L>(answer: Promise<T>, late: L): Promise<T | L> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ToolError && error.code === 'timeout') return late
    throw error
  }
}
