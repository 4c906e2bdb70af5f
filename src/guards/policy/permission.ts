import type { Action, Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { escapeGlob } from '../glob.ts'
import { parseOrigin } from './host-pattern.ts'
import type { Target } from './matcher.ts'
import { compileRules, type Rule } from './rule.ts'
import { commandParser } from './command-parser.ts'

const FORMS = 'fs:read[:GLOB], fs:write[:GLOB], fs:create[:GLOB], exec[:COMMAND], net[:HOST], secret:NAME'

/** Parses permission strings to allow rules; throws `invalid_input` naming the string and the known forms. */
export function permissionRules(permissions: readonly string[]): readonly Rule[] {
  return [...new Set(permissions)].map(parsePermission)
}

/** Parses one permission string to its rule. */
export const parsePermission = (text: string): Rule =>
  ruleOf(text, { id: `permission:${text}`, verdict: 'allow', source: 'permission' }, 'Permission')

/** Parses permission strings to rules that deny what they say; throws `invalid_input` naming the string. */
export function denialRules(denials: readonly string[]): readonly Rule[] {
  return [...new Set(denials)].map(text =>
    ruleOf(text, { id: `deny:${text}`, verdict: 'deny', source: 'session' }, 'Deny rule'),
  )
}

/** Reports whether compiling a permission string needs the parser of command lines. */
export const isAboutCommands = (text: string): boolean => text.startsWith('exec:')

function ruleOf(text: string, as: Pick<Rule, 'id' | 'verdict' | 'source' | 'why'>, kind: string): Rule {
  const target = readPermission(text)
  if (!target) throw invalid(kind, text, 'it is none of the known forms')
  const rule = { ...as, ...target }
  try {
    compileRules([rule])
  } catch (cause) {
    throw cause instanceof ToolError ? invalid(kind, text, cause.message) : cause
  }
  return rule
}

function readPermission(text: string): Target | undefined {
  if (typeof text !== 'string') return undefined
  const [, file, , glob] = /^fs:(read|write|create)(:([^]+))?$/.exec(text) ?? []
  if (file === 'read' || file === 'write' || file === 'create')
    return glob === undefined ? { action: file } : { action: file, path: glob }
  if (text === 'exec') return { action: 'exec' }
  if (text === 'net') return { action: 'net' }
  if (text.startsWith('exec:')) return { action: 'exec', command: text.slice('exec:'.length) }
  if (text.startsWith('net:')) return { action: 'net', host: text.slice('net:'.length) }
  if (text.startsWith('secret:')) return { action: 'reveal', secret: text.slice('secret:'.length) }
  return undefined
}

const FILE_FORM: Partial<Readonly<Record<Action, string>>> = { read: 'fs:read', create: 'fs:create', write: 'fs:write' }

/** Returns the narrowest permission string that would allow a claim. */
export function permissionFor({ action, resource }: Claim): string {
  const form = FILE_FORM[action]
  if (form !== undefined) return resource === '' || resource === '.' ? `${form}:**` : `${form}:${globFor(resource)}`
  // A resource that no narrower string can name needs the whole kind.
  if (action === 'net') return ['net', parseOrigin(resource)?.host].filter(part => part !== undefined).join(':')
  if (action === 'exec') return commandParser().plainWords(resource) ? `exec:${resource}` : 'exec'
  return /^[\w.-]+$/.test(resource) ? `secret:${resource}` : 'secret:*'
}

function globFor(resource: string): string {
  if (resource === '**') return '**'
  return resource.endsWith('/**') ? `${escapeGlob(resource.slice(0, -3))}/**` : escapeGlob(resource)
}

const invalid = (kind: string, text: string, what: string): ToolError =>
  new ToolError('invalid_input', `${kind} '${String(text).slice(0, 120)}' is refused: ${what}`, {
    hint: `write one of ${FORMS}`,
  })
