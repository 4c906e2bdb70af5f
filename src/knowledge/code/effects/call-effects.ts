import type { EditEffects, EffectsMode } from '../../../kernel/edit-effects.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { CallScope } from '../../../machine/workspace/call-scope.ts'
import type { Staging } from '../../../machine/workspace/staging.ts'
import type { LaterEffects, LaterOptions } from '../types.ts'
import { whileHidden } from '../servers/while-hidden.ts'
import { editQuestion, readableChanges, type Changes } from './edit-question.ts'
import { toldEffects } from './told-effects.ts'
import type { EditQuestion, EffectsWork, FoundEffects } from './types.ts'

export interface CallEffectsParts extends Pick<CallScope, 'root' | 'mayRead' | 'unreadable' | 'staging' | 'preview'> {
  readonly work: EffectsWork
  /** The transaction that the call is in. */
  readonly transaction: { readonly id: string; staging(): Staging } | undefined
  /** Whether the call lands its transaction. */
  commits(): boolean
  /** What would take back a change that landed, the newest unless said; undefined where there is none. */
  inverse(id: string | undefined): Staging | undefined
  /** Places that the call's refactoring left, though they may be meant. */
  undecided(): number
}

export interface CallEffects {
  /** What the call breaks, as it would be with its changes. */
  judged(wish: Wish): Promise<Judged | undefined>
  /** Everything about what is staged, or where nothing is about the last change that landed; or about one that did. */
  later(options: LaterOptions): Promise<LaterEffects | undefined>
}

interface Wish {
  readonly mode: EffectsMode
  readonly deadlineMs: number
  /** Of a change that is about to land everything is wanted, and waited for so long. */
  readonly landingMs: number | undefined
  readonly signal: AbortSignal | undefined
}

interface Judged {
  readonly effects: EditEffects | undefined
  readonly lands: boolean
  /** All of it, where only time is lacking; undefined where that does not become known. */
  readonly later?: () => Promise<EditEffects | undefined>
}

/** A change that was answered is judged for so long. */
const LATER_MS = 20_000

/** Changes of the workspace itself, wherever they were made. */
const LANDED = ''

export function callEffects(parts: CallEffectsParts): CallEffects {
  const { root, work, mayRead, unreadable, staging, transaction } = parts
  return {
    async judged({ mode, deadlineMs, landingMs, signal }) {
      const commits = parts.commits()
      const lands = commits || !transaction
      const patience = lands ? landingMs : undefined
      if (mode === 'off' && patience === undefined) return { effects: undefined, lands }
      const layer = commits && transaction ? transaction.staging() : staging
      const changes = layer.own().length > MOST_CHANGED ? undefined : editQuestion(root, layer)
      if (changes?.changed.length === 0) return undefined
      const view = lands ? LANDED : `in ${transaction?.id}`
      const question = {
        view: parts.preview ? `look ${view}` : view,
        deadlineMs: patience ?? deadlineMs,
        complete: patience !== undefined || mode === 'complete',
      }
      const found = changes ? await judge(changes, question, signal) : unknown([], TOO_MANY)
      if (!found) return undefined
      const isOpen = changes && !question.complete && !parts.preview && found.left > 0 && found.why === undefined
      return {
        effects: toldEffects(found, mayRead, parts.undecided()),
        lands,
        ...(isOpen && { later: () => rest(changes, question) }),
      }
    },
    async later({ id, deadlineMs, signal }) {
      const all = id === undefined ? transaction?.staging() : undefined
      const isStaged = all !== undefined && !all.isEmpty()
      const inverse = isStaged ? undefined : inverseOf(id)
      const changes = isStaged ? editQuestion(root, all) : inverse && swapped(editQuestion(root, inverse))
      if (!changes) return undefined
      const view = isStaged ? `all of ${transaction?.id}` : LANDED
      const found = await judge(changes, { view, deadlineMs, complete: true }, signal)
      return found && { changed: found.changed.filter(mayRead), effects: toldEffects(found, mayRead) }
    },
  }

  async function rest(changes: Changes, { view }: Pick<EditQuestion, 'view'>): Promise<EditEffects | undefined> {
    const question = { view, deadlineMs: LATER_MS, complete: true, isLater: true } as const
    const found = await judge(changes, question, undefined)
    return found?.complete || found?.introduced.length ? toldEffects(found, mayRead, parts.undecided()) : undefined
  }

  function inverseOf(id: string | undefined): Staging | undefined {
    try {
      return parts.inverse(id)
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== 'conflict') throw error
      const which = id === undefined ? 'the last change' : `change ${id}`
      throw new ToolError('conflict', `What ${which} broke cannot be told: its files have been changed since`, {
        hint: 'Ask about a later change, by its undo id, or have the project checked as a whole',
        cause: error,
      })
    }
  }

  /** A change is no less a change where nobody can judge it. */
  async function judge(
    all: Changes,
    { deadlineMs, ...how }: Pick<EditQuestion, 'view' | 'deadlineMs' | 'complete' | 'isLater'>,
    signal: AbortSignal | undefined,
  ): Promise<FoundEffects | undefined> {
    const since = performance.now()
    const { changes, isWhole } = readableChanges(all, unreadable, work.concerns)
    // What has to be looked for first, or judged anew, takes no time beside that of the question.
    const remaining = () => Math.max(1, deadlineMs - (performance.now() - since))
    try {
      const found = changes.changed.some(work.concerns)
        ? await whileHidden(root, unreadable, hidden =>
            work.judge({ ...changes, ...how, hidden, deadlineMs: remaining() }, signal),
          )
        : undefined
      if (isWhole) return found
      const { left, ...known } = found ?? unknown([], UNREAD)
      return { ...known, complete: false, left: Math.max(1, left), why: known.why ?? UNREAD }
    } catch (error) {
      return unknown(changes.changed, error instanceof Error ? error.message : String(error))
    }
  }
}

/** More than anybody writes by hand. */
const MOST_CHANGED = 1_000
const UNREAD = 'No language server is shown files that may not be read'
const TOO_MANY = `more than ${MOST_CHANGED} files were changed at once`

const unknown = (changed: readonly string[], why: string): FoundEffects => ({
  changed,
  introduced: [],
  cured: [],
  callers: [],
  tests: [],
  complete: false,
  left: Math.max(1, changed.length),
  unjudged: [],
  why,
})

const swapped = ({ before, after, changed }: Changes): Changes => ({ before: after, after: before, changed })
