import type { Action, Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { escapeGlob } from '../glob.ts'
import { parseOrigin } from './host-pattern.ts'
import { ensureNoList, quote, refusedText, toolForm, type ToolForm } from './foreign-spelling.ts'
import { compileMatcher, type Target } from './matcher.ts'
import type { Rule } from './rule.ts'
import { commandParser } from './command-parser.ts'
import type { Verdict } from '../verdict.ts'

const FORMS = 'fs:read[:GLOB], fs:write[:GLOB], fs:create[:GLOB], exec[:COMMAND], net[:HOST], secret:NAME'

/** Parses permission strings to allow rules; throws `invalid_input` naming the string and the known forms. */
export function permissionRules(permissions: readonly string[]): readonly Rule[] {
  return [...new Set(permissions)].map(permission => parsePermission(permission))
}

/** Parses one permission string to its rule, or the same rule as other agents write it: `Bash(git push:*)`. */
export const parsePermission = (text: string): Rule =>
  ruleOf(text, { id: `permission:${text}`, verdict: 'allow', source: 'permission' }, 'Permission')

/** Parses permission strings to rules that deny what they say; throws `invalid_input` naming the string. */
export function denialRules(denials: readonly string[]): readonly Rule[] {
  return [...new Set(denials)].map(text =>
    ruleOf(text, { id: `deny:${text}`, verdict: 'deny', source: 'session' }, 'Deny rule'),
  )
}

/** A stored deny rule, as the state keeps it. */
interface StoredDenial {
  readonly id: string
  readonly deny: string
  readonly enabled: boolean
  readonly why?: string | undefined
}

/**
 * Returns stored deny rules as rules. Files of them that cannot be used make everything ask, because one of their rules
 * may deny it.
 */
export const storedRules = (denials: readonly StoredDenial[], unusable: readonly string[]): readonly Rule[] => [
  ...denials
    .filter(({ enabled }) => enabled)
    .map(({ id, deny, why }) =>
      ruleOf(deny, { id: `stored:${id}`, verdict: 'deny', source: 'user', ...(why && { why }) }, 'Stored deny rule'),
    ),
  ...unusable.map((why, at): Rule => ({
    id: `stored:unusable ${at + 1}`,
    action: '*',
    verdict: 'ask',
    source: 'user',
    why,
    always: true,
  })),
]

/** Reports whether compiling a permission string needs the parser of command lines. */
export const isAboutCommands = (text: unknown): boolean =>
  typeof text === 'string' && (text.startsWith('exec:') || toolForm(text)?.kind === 'exec' || isCommandLine(text))

function ruleOf(text: string, as: Pick<Rule, 'id' | 'verdict' | 'source' | 'why'>, kind: string): Rule {
  try {
    const target = readRuleText(text, as.verdict)
    compileMatcher(target)
    return { ...as, ...target }
  } catch (cause) {
    throw cause instanceof ToolError ? refusal(kind, text, cause) : cause
  }
}

/**
 * Reads what a rule is about from one text: a permission string (`exec:git push`, `fs:write:src/**`), or a rule as other
 * agents write it (`Bash(git push:*)`, `Read(./.env)`). Throws `invalid_input` with the right spelling for others.
 */
function readRuleText(text: string, verdict: Verdict): Target {
  if (typeof text !== 'string') throw refusedText('it is no text')
  const [, file, , glob] = /^fs:(read|write|create)(:([^]+))?$/.exec(text) ?? []
  if (file === 'read' || file === 'write' || file === 'create')
    return glob === undefined ? { action: file } : { action: file, path: glob }
  if (text === 'exec') return { action: 'exec' }
  if (text === 'net') return { action: 'net' }
  if (text.startsWith('exec:')) return { action: 'exec', command: text.slice('exec:'.length) }
  if (text.startsWith('net:')) return { action: 'net', host: text.slice('net:'.length) }
  if (text.startsWith('secret:')) return { action: 'reveal', secret: text.slice('secret:'.length) }
  ensureNoList(text)
  const form = toolForm(text)
  if (form) return fromToolForm(text, form, verdict)
  if (isCommandLine(text)) return { action: 'exec', command: text }
  throw refusedText('it is none of the known forms', likelyForm(text))
}

function fromToolForm(text: string, { kind, inner }: ToolForm, verdict: Verdict): Target {
  const all = inner === undefined || inner === '*' || inner === '**' || inner === ':*'
  if (inner?.trim() === '') throw refusedText(`there is nothing in the brackets of ${quote(text)}`)
  if (kind === 'exec') return all ? { action: 'exec' } : { action: 'exec', command: inner }
  if (kind === 'net') return all ? { action: 'net' } : { action: 'net', host: inner.replace(/^domain:/, '') }
  if (kind === 'read' || kind === 'write')
    return all ? { action: kind } : { action: kind, path: fromWorkspace(kind, inner, verdict) }
  throw refusedText(
    `${quote(text)} names no tool that a rule can be about`,
    undefined,
    'the known names are Bash, Shell, Read, Edit, Write and WebFetch',
  )
}

/**
 * Returns a path of another agent's rule as a glob from the workspace. A bare name means every depth to some and the
 * top to others, so a rule that allows has to say which; one that asks or denies takes every depth.
 */
function fromWorkspace(kind: 'read' | 'write', path: string, verdict: Verdict): string {
  if (path.startsWith('//')) throw refusedText(`${quote(path)} is outside the workspace, where no file tool reaches`)
  const isAnchored = /^\.?\//.test(path)
  const bare = path.replace(/^\.?\//, '')
  if (isAnchored || bare.replace(/\/$/, '').includes('/')) return bare
  if (verdict !== 'allow') return `**/${bare}`
  throw refusedText(
    `${quote(path)} may be at the top of the workspace or at any depth`,
    `fs:${kind}:${bare}`,
    `write 'fs:${kind}:${bare}' for the top, or 'fs:${kind}:**/${bare}' for any depth`,
  )
}

/** Words that a rule about something else than a command may begin with. */
const KINDS =
  /^(?:fs|exec|net|secret|read|write|create|edit|delete|host|path|file|url|command|tool|allow|ask|deny|block)$/i

/** Reports whether a text is a command of several words, as lists of commands have it: `git push`, `git push:*`. */
function isCommandLine(text: string): boolean {
  const [, program = ''] = /^([\w./-]+) [^]*\S/.exec(text) ?? []
  return program !== '' && !KINDS.test(program)
}

/** Returns the permission string that a text without its kind probably means. */
function likelyForm(text: string): string | undefined {
  const [, , rest] = /^\s*(command|cmd|shell|run|bash):\s*(\S[^]*)$/i.exec(text) ?? []
  if (rest !== undefined) return `exec:${rest}`
  const [, , plain] = /^\s*((?:allow|ask|deny)\s+)?([\w./-]+ [^]+)$/.exec(text) ?? []
  if (plain !== undefined) return `exec:${plain}`
  return undefined
}

const FILE_FORM: Partial<Readonly<Record<Action, string>>> = { read: 'fs:read', create: 'fs:create', write: 'fs:write' }

/** Returns the narrowest permission string that would allow a claim. */
export function permissionFor({ action, resource }: Claim): string {
  const form = FILE_FORM[action]
  if (form !== undefined) return resource === '' || resource === '.' ? `${form}:**` : `${form}:${globFor(resource)}`
  // A resource that no narrower string can name needs the whole kind.
  if (action === 'net') return ['net', parseOrigin(resource)?.host].filter(part => part !== undefined).join(':')
  if (action === 'exec') return isNameable(resource) ? `exec:${resource}` : 'exec'
  return /^[\w.-]+$/.test(resource) ? `secret:${resource}` : 'secret:*'
}

/** Reports whether a rule can name this line, which holds for plain words without anything that a rule reads otherwise. */
function isNameable(line: string): boolean {
  const { plainWords, readCommandPattern } = commandParser()
  if (!plainWords(line)) return false
  try {
    return readCommandPattern(line).words.length > 0
  } catch {
    return false
  }
}

function globFor(resource: string): string {
  if (resource === '**') return '**'
  return resource.endsWith('/**') ? `${escapeGlob(resource.slice(0, -3))}/**` : escapeGlob(resource)
}

const refusal = (kind: string, text: string, { message, hint, details }: ToolError): ToolError =>
  new ToolError('invalid_input', `${kind} '${String(text).slice(0, 120)}' is refused: ${message}`, {
    hint: `${hint === undefined ? '' : `${hint}; `}write one of ${FORMS}`,
    ...(typeof details?.['spelling'] === 'string' && { details: { spelling: details['spelling'] } }),
  })
