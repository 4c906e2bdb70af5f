import { isDeepStrictEqual } from 'node:util'
import { ToolError } from '../../../kernel/error.ts'
import type { StoredDenial } from '../../../machine/state/denials.ts'
import type { ApprovalEntry } from '../../../runtime/approval-list.ts'
import type { Toolkit } from '../../../toolkit.ts'
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
  (what: RuleChange): Verb =>
  async (kit, [id, ...more], _values, terminal) => {
    if (id === undefined || more.length > 0)
      throw new UsageError('Give the id of one rule; policy list shows them', 'policy')
    const rule = await changeRule(kit, id, { what, by: terminal.env['USER'] ?? 'user' })
    say(terminal, `Rule ${id} ${what}`)
    if (what !== 'enabled' && !('deny' in rule))
      for (const other of answersIn(kit).filter(one => one.id !== id && saysTheSame(one, rule)))
        warn(terminal, `Note: ${other.id} still says the same`)
    return EXIT.ok
  }

/** What can happen to a stored rule. */
export type RuleChange = keyof typeof WORK

/** Removes a stored rule or switches it, and journals who did. Returns the rule as it was. */
export async function changeRule(
  kit: Toolkit,
  id: string,
  { what, by }: { readonly what: RuleChange; readonly by: string },
): Promise<ApprovalEntry | StoredDenial> {
  const rule = await storedRule(kit, id)
  const shelves = 'deny' in rule ? await kit.workspace.denials() : kit.workspace.approvals
  WORK[what](shelves[rule.scope === 'user' ? 'user' : 'workspace'], id)
  kit.workspace.journal.append(
    {
      type: 'rule',
      change: what,
      rule: id,
      ...('deny' in rule ? { deny: rule.deny } : { tool: rule.tool }),
      scope: rule.scope,
      by,
    },
    { durable: true },
  )
  return rule
}

/** Returns a stored rule by its id. */
export async function storedRule(kit: Toolkit, id: string): Promise<ApprovalEntry | StoredDenial> {
  const denials = await denialsIn(kit)
  const rule = [...denials, ...answersIn(kit)].find(one => one.id === id)
  if (rule) return rule
  throw new ToolError('not_found', `There is no rule '${id}'`, { hint: 'toolwright policy list shows them' })
}
