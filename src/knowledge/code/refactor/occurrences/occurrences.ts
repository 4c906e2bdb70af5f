import { isSameFamily } from '../../../../languages/registry.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import { askOr, type RefactorParts, type ServedParts } from '../refactor-parts.ts'
import { askDefinitions, type ServerVerdict } from './ask-definitions.ts'
import { findOccurrences, type WrittenPlace } from './find-occurrences.ts'
import { judge, type Judged } from './judge.ts'
import { isHeldWhole, ownModules } from './modules.ts'
import { byPlace, changedAt, mentionAt, otherAt, undecidedAt, type Occurrence, type Target } from './occurrence.ts'

export interface OccurrencesOptions {
  /** Reports whether a place is changed anyway. */
  readonly isChanged: (path: string, start: number) => boolean
  /** Reports whether a place certainly or possibly refers to the target, and no server follows it. */
  readonly isUnfollowed?: (path: string, start: number) => boolean
  /** The new name; without one nothing is included. */
  readonly to?: string
  /** False if no server can be asked. */
  readonly isServed?: boolean
}

interface Place extends WrittenPlace {
  readonly judged: Judged
}

/** Every occurrence of a target's name, with its verdict. */
export async function occurrencesOf(
  parts: RefactorParts,
  target: Target,
  { isChanged, isUnfollowed = () => false, to, isServed = true }: OccurrencesOptions,
): Promise<readonly Occurrence[]> {
  const writtenPlaces = await findOccurrences(parts, target.old)
  const places = writtenPlaces.map((each): Place => ({ ...each, judged: judge(target, each) }))
  const open = places.filter(
    ({ path, start, judged }) =>
      judged.verdict === 'not decided' && judged.ask && !isChanged(path, start) && !isUnfollowed(path, start),
  )
  const ask = (served: ServedParts) => askDefinitions(served, target, open, places)
  const answers =
    isServed && open.length > 0
      ? await askOr(parts, target.path, ask, declarationVerdicts)
      : await declarationVerdicts()
  const isOurs = ownModules(parts)
  let isModuleValue: Promise<boolean> | undefined
  const occurrences: Occurrence[] = []
  for (const place of places) occurrences.push(await decide(place))
  return occurrences.toSorted(byPlace)

  async function decide(place: Place): Promise<Occurrence> {
    const { path, start, kind, of, judged } = place
    const at = { path, start, end: start + target.old.length, kind }
    const instead = to !== undefined && kind === 'shorthand' ? `${to}: ${target.old}` : to
    if (isChanged(path, start)) return changedAt(at)
    if (isUnfollowed(path, start)) return undecidedAt(at, 'no server follows the request there', instead)
    if (judged.verdict === 'mention') return mentionAt(at)
    if (judged.verdict === 'other') return otherAt(at, judged.why)
    const answer = answers.get(place)
    if (answer) return 'other' in answer ? otherAt(at, answer.other) : undecidedAt(at, answer.open, instead)
    const isImported = of !== undefined && (kind === 'name' || kind === 'member') && isSameFamily(path, target.path)
    if (isImported && !(await isOurs(path, of))) return otherAt(at, `imported from ${of}`)
    if (judged.ifHeld && !(await (isModuleValue ??= isHeldWhole(parts, target.path))))
      return otherAt(at, 'the module is never used as a value')
    return undecidedAt(at, judged.why, instead)
  }

  /** Without a server only declarations of that name are known to be other symbols. */
  async function declarationVerdicts(): Promise<ReadonlyMap<WrittenPlace, ServerVerdict>> {
    const verdicts = new Map<WrittenPlace, ServerVerdict>()
    for (const [path, some] of Map.groupBy(open, each => each.path)) {
      const names = new Set((await parseSyntax(path, parts.sources(path).text))?.spans.map(({ nameAt }) => nameAt))
      for (const place of some) if (names.has(place.start)) verdicts.set(place, { other: 'it declares another' })
    }
    return verdicts
  }
}
