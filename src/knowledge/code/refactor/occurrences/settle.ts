import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { RefactorQuestion, RefactoringOccurrences } from '../../types.ts'
import type { Changes } from '../changes.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import { listedOccurrence, type ListedOccurrence, type Occurrence } from './occurrence.ts'

/** The most listed occurrences per verdict. */
const LISTED = 100
const FILES = 50
const SHOWN = 10

interface Settled {
  /** The included changes. */
  readonly included: Changes
  readonly occurrences: RefactoringOccurrences
}

/** Includes the requested occurrences. Throws `conflict` with the list if an undecided one could break. */
export function settle(
  parts: RefactorParts,
  name: string,
  occurrences: readonly Occurrence[],
  { include = [], leave = [], strict = true }: RefactorQuestion,
): Settled {
  const toListed = (each: Occurrence) => listedOccurrence(parts, each)
  const open = occurrences.filter(({ blocks }) => blocks).map(each => ({ each, listed: toListed(each) }))
  const isNamed = (ids: readonly string[], { id, path }: ListedOccurrence) =>
    ids.includes(id) || ids.includes(`file:${path}`)
  // An unknown id may belong to a text that has changed since.
  const unknown = [...include, ...leave].filter(id => !open.some(({ listed }) => isNamed([id], listed)))
  if (unknown.length > 0)
    throw new ToolError('invalid_input', `No undecided occurrence has the id ${unknown.slice(0, SHOWN).join(', ')}`, {
      hint: 'Ask without `include` and `leave`, and take the ids from that answer',
      details: { ids: unknown },
    })
  const includedPlaces = open.filter(({ listed }) => isNamed(include, listed)).map(({ each }) => each)
  const rest = open.filter(({ listed }) => !isNamed(include, listed)).map(({ listed }) => listed)
  const undecidedPlaces = rest.filter(each => !isNamed(leave, each))
  const mentions = occurrences.filter(({ verdict, blocks }) => verdict === 'not decided' && !blocks)
  const others = occurrences.filter(({ verdict }) => verdict === 'other')
  if (undecidedPlaces.length > 0 && strict) throw notDecided(name, undecidedPlaces, mentions.slice(0, 20).map(toListed))
  const splicesByPath = new Map<string, Splice[]>()
  for (const { path, start, end, instead } of includedPlaces) {
    if (instead === undefined) continue
    splicesByPath.set(path, [...(splicesByPath.get(path) ?? []), parts.sources(path).splice(start, end, instead)])
  }
  return {
    included: splicesByPath,
    occurrences: {
      changed: occurrences.filter(({ verdict }) => verdict === 'changed').length + includedPlaces.length,
      other: others.length,
      undecided: rest.length,
      mentions: mentions.length,
      listed: [
        ...rest.slice(0, LISTED),
        ...mentions.slice(0, LISTED).map(toListed),
        ...others.slice(0, LISTED).map(toListed),
      ],
    },
  }
}

function notDecided(name: string, open: readonly ListedOccurrence[], mentions: readonly ListedOccurrence[]): ToolError {
  const places = open
    .slice(0, SHOWN)
    .map(({ id, path, line, text, why }) => `${path}:${line} [${id}] ${text.slice(0, 80)} (${why})`)
  const more = open.length > SHOWN ? `; and ${open.length - SHOWN} more` : ''
  const byFile = [...Map.groupBy(open, ({ path }) => path)].map(([path, each]) => ({ path, count: each.length }))
  return new ToolError(
    'conflict',
    `It is undecided whether ${open.length} ${open.length === 1 ? 'place refers' : 'places refer'} to '${name}': ${places.join('; ')}${more}`,
    {
      hint: 'Nothing was changed. Give the ids of those that refer to it in `include` and the others in `leave` (file:PATH for all of a file), or `strict: false` to leave all unchanged',
      details: {
        undecided: open.slice(0, LISTED),
        total: open.length,
        files: byFile.toSorted((one, other) => other.count - one.count).slice(0, FILES),
        ...(mentions.length > 0 && { mentions }),
      },
    },
  )
}
