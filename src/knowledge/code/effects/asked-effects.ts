import { ToolError } from '../../../kernel/error.ts'
import type { CallScope } from '../../../machine/workspace/call-scope.ts'
import type { LandedChange } from '../../../machine/workspace/commit/landed-change.ts'
import type { Staging } from '../../../machine/workspace/staging.ts'
import type { LaterEffects, LaterOptions } from '../types.ts'
import { textOnDisk, upToNow, type Backlog, type Pending } from './backlog.ts'
import { editQuestion, type Changes } from './edit-question.ts'
import { judgeChanges, type JudgeParts } from './judge-changes.ts'
import type { FoundEffects } from './types.ts'
import { visibleEffects } from './visible-effects.ts'

export interface AskedParts extends JudgeParts, Pick<CallScope, 'mayRead'> {
  readonly backlog: Backlog
  /** The transaction of the call. */
  readonly transaction: { readonly id: string; staging(): Staging } | undefined
  /** Returns a landed change, by default the newest; undefined if there is none. */
  landed(id: string | undefined): LandedChange | undefined
}

/** Changes of the workspace itself, whatever made them. */
export const LANDED = ''

type AskedHow = Pick<LaterOptions, 'deadlineMs' | 'signal'>

interface AskedEffects {
  readonly changes: Changes
  readonly found: FoundEffects | undefined
}

/** Answers questions about the staged changes; if nothing is staged, about the last or the named landed change. */
export function askedEffects(parts: AskedParts): (options: LaterOptions) => Promise<LaterEffects> {
  const { root, backlog, mayRead, transaction } = parts
  return async ({ id, ...how }) => {
    const all = id === undefined || id === transaction?.id ? transaction?.staging() : undefined
    if (all && !all.isEmpty())
      return laterEffects(await askFor(editQuestion(root, all), `all of ${transaction?.id}`, how))
    const change = landedOf(parts, id)
    if (!change) return { changed: [], note: 'Nothing is staged, and nothing has landed yet' }
    const pending = backlog.holding(change.id)
    return pending ? waiting(pending, change.id, how) : judgeLanded(change, how)
  }

  /** Judges a change together with all that is not judged yet, so that neither stops the other. */
  async function waiting(pending: Pending, id: string, how: AskedHow): Promise<LaterEffects> {
    const changes = upToNow(pending, textOnDisk(root))
    const pendingEffects = await backlog.ask(pending, async () => {
      const answer = await askFor(changes, LANDED, how)
      if (answer.found?.complete) backlog.settle(pending)
      return answer
    })
    const others = pending.ids.filter(each => each !== id)
    return laterEffects(
      pendingEffects,
      others.length > 0 ? `Judged together with ${others.join(', ')}, not judged yet either` : '',
    )
  }

  async function judgeLanded({ id, before, changedSince }: LandedChange, how: AskedHow): Promise<LaterEffects> {
    const changes = swapSides(editQuestion(root, before))
    const since = changedSince.filter(mayRead).join(', ')
    // A view of its own: it stops no judging of newer changes.
    const landedEffects = await askFor(changes, `of ${id}`, how)
    return laterEffects(landedEffects, since === '' ? '' : `Includes later changes of the same files: ${since}`)
  }

  async function askFor(changes: Changes, view: string, { deadlineMs, signal }: AskedHow): Promise<AskedEffects> {
    return { changes, found: await judgeChanges(parts, changes, { view, deadlineMs, complete: true }, signal) }
  }

  function laterEffects({ changes, found }: AskedEffects, note = ''): LaterEffects {
    if (changes.changed.length === 0)
      return { changed: [], note: 'Nothing is left of this change: its files are as they were before it' }
    if (!found) return { changed: [], note: 'No language server judges the changed files' }
    const effects = visibleEffects(found, mayRead)
    return { changed: found.changed.filter(mayRead), effects, ...(note !== '' && { note }) }
  }
}

function landedOf(parts: AskedParts, id: string | undefined): LandedChange | undefined {
  try {
    return parts.landed(id)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const which = id === undefined ? 'the last change' : `change ${id}`
    if (error.code === 'not_found')
      throw new ToolError('not_found', `There is no ${which.replace('the ', '')} here, or it is too old`, {
        hint: 'Give the undo id that the answer of a change has, or none for the last change',
        cause: error,
      })
    if (error.code !== 'conflict') throw error
    throw new ToolError('conflict', `What ${which} broke is unknown: its files were moved or changed since`, {
      hint: 'Ask without an id for the last change, with the id of a later one, or check the whole project',
      cause: error,
    })
  }
}

const swapSides = ({ before, after, changed }: Changes): Changes => ({ before: after, after: before, changed })
