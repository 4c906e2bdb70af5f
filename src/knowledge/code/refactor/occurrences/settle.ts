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
  found: readonly Occurrence[],
  { include = [], leave = [], strict = true }: RefactorQuestion,
): Settled {
  const shown = (each: Occurrence) => listedOccurrence(parts, each)
  const open = found.filter(({ blocks }) => blocks).map(each => ({ each, listed: shown(each) }))
  const isNamed = (ids: readonly string[], { id, path }: ListedOccurrence) =>
    ids.includes(id) || ids.includes(`file:${path}`)
  // An unknown id may belong to a text that has changed since.
  const unknown = [...include, ...leave].filter(id => !open.some(({ listed }) => isNamed([id], listed)))
  if (unknown.length > 0)
    throw new ToolError('invalid_input', `No undecided occurrence has the id ${unknown.slice(0, SHOWN).join(', ')}`, {
      hint: 'Ask without `include` and `leave`, and take the ids from that answer',
      details: { ids: unknown },
    })
  const taken = open.filter(({ listed }) => isNamed(include, listed)).map(({ each }) => each)
  const rest = open.filter(({ listed }) => !isNamed(include, listed)).map(({ listed }) => listed)
  const undecided = rest.filter(each => !isNamed(leave, each))
  const mentions = found.filter(({ verdict, blocks }) => verdict === 'not decided' && !blocks)
  const others = found.filter(({ verdict }) => verdict === 'other')
  if (undecided.length > 0 && strict) throw notDecided(name, undecided, mentions.slice(0, 20).map(shown))
  const included = new Map<string, Splice[]>()
  for (const { path, start, end, instead } of taken) {
    if (instead === undefined) continue
    included.set(path, [...(included.get(path) ?? []), parts.sources(path).splice(start, end, instead)])
  }
  return {
    included,
    occurrences: {
      changed: found.filter(({ verdict }) => verdict === 'changed').length + taken.length,
      other: others.length,
      undecided: rest.length,
      mentions: mentions.length,
      listed: [
        ...rest.slice(0, LISTED),
        ...mentions.slice(0, LISTED).map(shown),
        ...others.slice(0, LISTED).map(shown),
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
