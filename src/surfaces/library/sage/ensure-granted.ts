import { permissionRules } from '../../../guards/policy/permission.ts'
import type { Rule } from '../../../guards/policy/rule.ts'
import type { Effect } from '../../../kernel/claim.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { ToolContext } from './types.ts'

/** Declaration of a host function. */
interface Defined {
  readonly name: string
  readonly effects?: readonly Effect[] | undefined
  readonly simulates?: boolean | undefined
  readonly simulate?: unknown
}

/**
 * Refuses to call a host function if the context denies its effects. Its targets are unknown beforehand, so a
 * permission counts only if it grants all of its kind.
 */
export function ensureGranted({ name, effects }: Defined, ctx: ToolContext): void {
  if (ctx.permissions !== undefined) {
    const rules = permissionRules(ctx.permissions)
    // A tool without declared effects is refused only by a context that grants nothing.
    const neededEffects = effects ?? (rules.length === 0 ? ['exec' as const] : [])
    const missing = neededEffects.find(effect => !rules.some(rule => grantsAll(rule, effect)))
    if (missing !== undefined)
      throw new ToolError('denied', `'${name}' is not allowed: its effect '${missing}' is not granted`, {
        hint: `It needs the permission ${FORMS[missing]}`,
      })
  }
}

/**
 * Returns effects that a dry run can only name, because the function simulates none of them; undefined if it may be
 * called. Throws if it could change files, because a dry run must show those as a diff.
 */
export function untriedEffects(
  { name, effects, simulates = false, simulate }: Defined,
  ctx: ToolContext,
): readonly Effect[] | undefined {
  if (!ctx.dryRun || simulates || simulate || effects?.every(effect => effect === 'read')) return undefined
  if (effects && !effects.includes('create') && !effects.includes('write')) return effects
  const could = effects ? `would have the effects ${effects.join(', ')}` : 'declares no effects, so it could have any'
  throw new ToolError('unavailable', `'${name}' was not called: a dry run cannot simulate what it does. It ${could}`, {
    hint: 'Call it without dryRun, or define it with simulate, a function that is called in its place',
  })
}

const FORMS: Readonly<Record<Effect, string>> = {
  read: 'fs:read',
  create: 'fs:create',
  write: 'fs:write',
  exec: 'exec',
  net: 'net',
}

function grantsAll({ action, path = '**', command = '*', host = '*' }: Rule, effect: Effect): boolean {
  const isWhole = path === '**' && command === '*' && host === '*'
  return isWhole && (action === effect || (action === 'write' && effect === 'create'))
}
