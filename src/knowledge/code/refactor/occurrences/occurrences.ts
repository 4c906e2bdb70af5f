import { ToolError } from '../../../../kernel/error.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import { stagedTexts } from '../../servers/staged-texts.ts'
import type { Sources } from '../../source.ts'
import { askDefinitions, type OpenPlace, type Said } from './ask-definitions.ts'
import { findOccurrences, type FileOccurrences } from './find-occurrences.ts'
import { isHeldWhole } from './held-whole.ts'
import { isSameFamily, judge, type Judged } from './judge.ts'
import { byPlace, type Occurrence } from './occurrence.ts'
import { importersAround } from '../importers-around.ts'
import { ownModules } from './own-modules.ts'
import type { Target } from './target.ts'

export interface OccurrencesOptions {
  readonly deadline: Deadline
  /** Whether a change is made at a place anyway. */
  readonly isChanged: (path: string, start: number) => boolean
  /** Places that surely or perhaps mean it and that no server follows. */
  readonly unfollowed?: readonly { readonly path: string; readonly offset: number }[]
  /** The new name; nothing is taken along without one. */
  readonly to?: string
  /** False where no server can be asked. */
  readonly isServed?: boolean
}

/** Of the time that is left, what deciding single places may take: the rest is for trying the change out. */
const SHARE = 0.5

interface Place extends OpenPlace {
  readonly judged: Judged
}

/** Every place where the name of a target is written, with what is known of it. */
export async function occurrencesOf(
  parts: CodeParts,
  sources: Sources,
  target: Target,
  { deadline, isChanged, unfollowed = [], to, isServed = true }: OccurrencesOptions,
): Promise<readonly Occurrence[]> {
  const files = await findOccurrences(parts, sources, target.old, deadline)
  const isUnfollowed = (path: string, start: number) =>
    unfollowed.some(each => each.path === path && each.offset === start)
  const places = files.flatMap(({ path, text, written }) =>
    written.map((each): Place => ({ path, written: each, judged: judge(target, path, text, each) })),
  )
  const left = places.filter(
    ({ path, written }) => !isChanged(path, written.start) && !isUnfollowed(path, written.start),
  )
  const answers = await saidOf(
    left.filter(({ judged }) => judged.verdict === 'not decided' && judged.ask),
    files,
  )
  const isOurs = ownModules(parts)
  let held: Promise<boolean> | undefined
  const found: Occurrence[] = []
  for (const place of places) found.push(await decided(place))
  return found.toSorted(byPlace)

  async function decided(place: Place): Promise<Occurrence> {
    const { path, written, judged } = place
    const { start, kind, of } = written
    const at = { path, start, end: start + target.old.length, kind }
    if (isChanged(path, start)) return { ...at, verdict: 'changed', blocks: false }
    if (isUnfollowed(path, start)) return blocking('no server follows what is asked for there')
    if (judged.verdict === 'mention') return { ...at, verdict: 'not decided', blocks: false }
    if (judged.verdict === 'other') return { ...at, verdict: 'other', why: judged.why, blocks: false }
    const answer = answers.get(place)
    if (answer && 'other' in answer) return { ...at, verdict: 'other', why: answer.other, blocks: false }
    if (answer) return blocking(answer.open)
    if (
      of !== undefined &&
      (kind === 'name' || kind === 'member') &&
      isSameFamily(path, target.path) &&
      !(await isOurs(path, of))
    )
      return { ...at, verdict: 'other', why: `imported from ${of}`, blocks: false }
    if (judged.ifHeld && !(await (held ??= isHeldWhole(parts, sources, target.path, deadline))))
      return { ...at, verdict: 'other', why: 'nobody has the module as a value', blocks: false }
    return blocking(judged.why)

    function blocking(why: string): Occurrence {
      const instead = to === undefined ? undefined : kind === 'shorthand' ? `${to}: ${target.old}` : to
      return { ...at, verdict: 'not decided', why, blocks: true, ...(instead !== undefined && { instead }) }
    }
  }

  async function saidOf(
    open: readonly Place[],
    all: readonly FileOccurrences[],
  ): Promise<ReadonlyMap<OpenPlace, Said>> {
    if (open.length === 0) return new Map()
    if (!isServed) return declaredOf(open)
    const kinds = new Map(all.map(({ path, written }) => [path, new Map(written.map(each => [each.start, each.kind]))]))
    const near =
      target.scope === 'member' ? await importersAround(parts, target.path, { reach: 'direct', deadline }) : []
    const isNear = (path: string) => path === target.path || near.includes(path)
    const kindAt = (path: string, start: number) => kinds.get(path)?.get(start)
    const until = { ...deadline, at: performance.now() + (deadline.at - performance.now()) * SHARE }
    try {
      return await parts.servers.ask(target.path, stagedTexts(parts.root, parts.staging), deadline, server =>
        askDefinitions(server, sources, target, open, { deadline: until, kindAt, isNear }),
      )
    } catch (error) {
      // In a language without a server nobody decides, and every place is listed.
      if (error instanceof ToolError && error.code === 'unavailable') return declaredOf(open)
      throw error
    }
  }

  /** Without a server only what declares another of that name is known to be one. */
  async function declaredOf(open: readonly Place[]): Promise<ReadonlyMap<OpenPlace, Said>> {
    const said = new Map<OpenPlace, Said>()
    for (const [path, some] of Map.groupBy(open, each => each.path)) {
      const names = new Set((await parseSyntax(path, sources(path).text))?.spans.map(({ nameAt }) => nameAt))
      for (const place of some) if (names.has(place.written.start)) said.set(place, { other: 'it declares another' })
    }
    return said
  }
}
