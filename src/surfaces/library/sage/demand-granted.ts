import { permissionRules } from '../../../guards/policy/permission.ts'
import type { Rule } from '../../../guards/policy/rule.ts'
import type { Effect } from '../../../kernel/claim.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { ToolContext, ToolDefinition } from './types.ts'

type Defined = Pick<ToolDefinition, 'name' | 'effects' | 'simulates'>

/**
 * Refuses to call a function of the host where the context rules its effects out. What it touches is not known
 * beforehand, so that a permission counts only where it grants all of its kind, and no dry run can simulate it.
 */
export function demandGranted({ name, effects, simulates = false }: Defined, ctx: ToolContext): void {
  if (ctx.permissions !== undefined) {
    const rules = permissionRules(ctx.permissions)
    // A tool that declares nothing is judged only by a context that grants nothing.
    const needed = effects ?? (rules.length === 0 ? ['exec' as const] : [])
    const missing = needed.find(effect => !rules.some(rule => grantsAll(rule, effect)))
    if (missing !== undefined)
      throw new ToolError('denied', `'${name}' is not allowed: its effect '${missing}' is not granted`, {
        hint: `It needs the permission ${FORMS[missing]}`,
      })
  }
  const isReader = effects?.every(effect => effect === 'read') ?? false
  if (ctx.dryRun && !simulates && !isReader)
    throw new ToolError('unavailable', `'${name}' was not called: a dry run cannot simulate what it does`, {
      hint: 'Call it without dryRun; one that heeds context.dryRun itself is defined with simulates: true',
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
