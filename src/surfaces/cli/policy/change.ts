import { isDeepStrictEqual } from 'node:util'
import { ToolError } from '../../../kernel/error.ts'
import type { ApprovalEntry } from '../../../runtime/approval-list.ts'
import { say, warn } from '../terminal.ts'
import { EXIT, UsageError } from '../usage.ts'
import type { Verb } from './options.ts'
import { answersIn, denialsIn } from './stored.ts'

/** Removing one of two equal answers takes nothing away. */
const saysTheSame = (one: ApprovalEntry, other: ApprovalEntry): boolean =>
  one.enabled && !one.expired && one.tool === other.tool && isDeepStrictEqual(essence(one), essence(other))

const essence = ({ pattern, grants = [], scope, task }: ApprovalEntry): unknown => [pattern, grants, scope, task]

/** Where stored rules of one kind and scope lie. */
interface Shelf {
  remove(id: string): boolean
  setEnabled(id: string, on: boolean): boolean
}

const WORK: Readonly<Record<'removed' | 'enabled' | 'disabled', (shelf: Shelf, id: string) => boolean>> = {
  removed: (shelf, id) => shelf.remove(id),
  enabled: (shelf, id) => shelf.setEnabled(id, true),
  disabled: (shelf, id) => shelf.setEnabled(id, false),
}

/** Removes a stored rule or switches it, and journals who did. */
export const changing =
  (what: keyof typeof WORK): Verb =>
  async (kit, [id, ...more], _values, terminal) => {
    if (id === undefined || more.length > 0)
      throw new UsageError('Give the id of one rule; policy list shows them', 'policy')
    const answer = answersIn(kit).find(one => one.id === id)
    const denial = (await denialsIn(kit)).find(one => one.id === id)
    const rule = denial ?? answer
    if (!rule)
      throw new ToolError('not_found', `There is no rule '${id}'`, { hint: 'toolwright policy list shows them' })
    const shelves = denial ? await kit.workspace.denials() : kit.workspace.approvals
    WORK[what](shelves[rule.scope === 'user' ? 'user' : 'workspace'], id)
    kit.workspace.journal.append(
      {
        type: 'rule',
        change: what,
        rule: id,
        ...('deny' in rule ? { deny: rule.deny } : { tool: rule.tool }),
        scope: rule.scope,
        by: terminal.env['USER'] ?? 'user',
      },
      { durable: true },
    )
    say(terminal, `Rule ${id} ${what}`)
    if (what !== 'enabled' && answer)
      for (const other of answersIn(kit).filter(one => one.id !== id && saysTheSame(one, answer)))
        warn(terminal, `Note: ${other.id} still says the same`)
    return EXIT.ok
  }
