import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { Sources } from '../../source.ts'
import type { RefactorQuestion, RefactoringOccurrences } from '../../types.ts'
import { listedOccurrence, type ListedOccurrence, type Occurrence } from './occurrence.ts'

/** Of each verdict so many are listed. */
const LISTED = 100
const FILES = 50
const SHOWN = 10

export interface Settled {
  /** What is taken along, by file. */
  readonly included: ReadonlyMap<string, readonly Splice[]>
  readonly occurrences: RefactoringOccurrences
}

type Answers = Pick<RefactorQuestion, 'include' | 'leave' | 'strict'>

/** Takes along what was asked for; `conflict` with the list where something could break that nobody decided about. */
export function settle(sources: Sources, name: string, found: readonly Occurrence[], answers: Answers): Settled {
  const { include = [], leave = [], strict = true } = answers
  const open = found
    .filter(({ blocks }) => blocks)
    .map(each => ({ each, listed: listedOccurrence(sources(each.path), each) }))
  const isNamed = (ids: readonly string[], { id, path }: ListedOccurrence) =>
    ids.includes(id) || ids.includes(`file:${path}`)
  demandKnown(
    [...include, ...leave],
    open.map(({ listed }) => listed),
  )
  const taken = open.filter(({ listed }) => isNamed(include, listed))
  const rest = open.filter(({ listed }) => !isNamed(include, listed))
  const undecided = rest.map(({ listed }) => listed).filter(each => !isNamed(leave, each))
  if (undecided.length > 0 && strict) throw notDecided(name, undecided, found.filter(isMention).map(shown))
  const included = new Map<string, Splice[]>()
  for (const { each } of taken) {
    if (each.instead === undefined) continue
    const splices = included.get(each.path) ?? []
    splices.push(sources(each.path).splice(each.start, each.end, each.instead))
    included.set(each.path, splices)
  }
  const others = found.filter(({ verdict }) => verdict === 'other')
  const mentions = found.filter(isMention)
  return {
    included,
    occurrences: {
      changed: found.filter(({ verdict }) => verdict === 'changed').length + taken.length,
      other: others.length,
      undecided: rest.length,
      mentions: mentions.length,
      listed: [
        ...rest.map(one => one.listed).slice(0, LISTED),
        ...mentions.slice(0, LISTED).map(shown),
        ...others.slice(0, LISTED).map(shown),
      ],
    },
  }

  function shown(each: Occurrence): ListedOccurrence {
    return listedOccurrence(sources(each.path), each)
  }
}

const isMention = ({ verdict, blocks }: Occurrence): boolean => verdict === 'not decided' && !blocks

/** An id that means nothing may be one of a text that has changed since. */
function demandKnown(ids: readonly string[], open: readonly ListedOccurrence[]): void {
  const unknown = ids.filter(id => !open.some(each => each.id === id || `file:${each.path}` === id))
  if (unknown.length > 0)
    throw new ToolError('invalid_input', `No undecided occurrence has the id ${unknown.slice(0, SHOWN).join(', ')}`, {
      hint: 'Ask without include and leave, and take the ids from that answer',
      details: { ids: unknown },
    })
}

function notDecided(name: string, open: readonly ListedOccurrence[], mentions: readonly ListedOccurrence[]): ToolError {
  const places = open
    .slice(0, SHOWN)
    .map(({ id, path, line, text, why }) => `${path}:${line} [${id}] ${text.slice(0, 80)} (${why})`)
  const more = open.length > SHOWN ? `; and ${open.length - SHOWN} more` : ''
  const byFile = [...Map.groupBy(open, ({ path }) => path)].map(([path, each]) => ({ path, count: each.length }))
  return new ToolError(
    'conflict',
    `'${name}' may be meant in ${open.length} ${open.length === 1 ? 'place' : 'places'} that nobody can decide: ${places.join('; ')}${more}`,
    {
      hint: 'Nothing was changed. Give the ids of those that are meant in include and of the others in leave (file:PATH for all of a file), or strict: false to leave all as they are',
      details: {
        undecided: open.slice(0, LISTED),
        total: open.length,
        files: byFile.toSorted((one, other) => other.count - one.count).slice(0, FILES),
        ...(mentions.length > 0 && { mentions: mentions.slice(0, 20) }),
      },
    },
  )
}
