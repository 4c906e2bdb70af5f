import type { Claim } from '../../kernel/claim.ts'
import { isSecretFile } from '../../kernel/secret-files.ts'
import { escapeGlob } from '../glob.ts'
import { protectedPlace } from '../policy/builtin.ts'
import { parseOrigin } from '../policy/host-pattern.ts'
import { commandParser } from '../policy/command-parser.ts'
import type { Grant } from './approval.ts'

/** What "always" would remember, before the person agrees to it. */
export interface Proposal {
  readonly tool: string
  readonly grants: readonly Grant[]
  /** The proposal in words, for the prompt. */
  readonly text: string
}

/** Programs whose second word is a subcommand; every other command is remembered as it stands. */
const SUBCOMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['git', ['status', 'log', 'diff', 'show', 'blame', 'branch', 'add', 'ls-files', 'rev-parse']],
  ['npm', ['test', 'ls', 'outdated', 'view', 'run']],
  ['pnpm', ['test', 'ls', 'outdated', 'run']],
  ['yarn', ['test', 'run']],
  ['bun', ['test', 'run']],
  ['cargo', ['build', 'check', 'test', 'clippy', 'fmt', 'tree']],
  ['go', ['build', 'test', 'vet', 'fmt', 'list']],
  ['dotnet', ['build', 'test']],
  ['gradle', ['build', 'test', 'check']],
  ['mvn', ['test', 'compile', 'verify']],
  ['deno', ['test', 'check', 'lint', 'fmt']],
  ['make', ['test', 'check', 'build', 'lint']],
])

/**
 * Returns the narrowest useful rule for calls like this one: the same tool, files of one directory and extension, a
 * command up to its subcommand with its options, one host. Returns undefined if nothing should be remembered: protected
 * places, whole workspaces, unknown origins.
 */
export function proposeRule(call: { readonly tool: string; readonly claims: readonly Claim[] }): Proposal | undefined {
  if (call.claims.length === 0) return undefined
  const isMixed =
    call.claims.some(claim => claim.action === 'net') && call.claims.some(claim => claim.action === 'exec')
  const grants = new Map<string, Grant>()
  for (const claim of call.claims) {
    const some = grantsFor(claim, isMixed)
    if (!some) return undefined
    for (const grant of some) grants.set(JSON.stringify(grant), grant)
  }
  const list = [...grants.values()]
  return { tool: call.tool, grants: list, text: `${call.tool}: ${list.map(describe).join(', ')}` }
}

function grantsFor(claim: Claim, isMixed: boolean): readonly Grant[] | undefined {
  if (claim.action === 'exec') return commandGrants(claim.resource, isMixed)
  const grant = grantFor(claim)
  return grant && [grant]
}

function grantFor(claim: Claim): Grant | undefined {
  const { action, resource } = claim
  if (action === 'net') return hostGrant(resource)
  if (action === 'reveal') return { action, secret: resource }
  if (action !== 'read' && protectedPlace(resource)) return undefined
  const path = globFor(claim)
  return path === undefined ? undefined : { action, path }
}

function globFor({ action, resource, link }: Claim): string | undefined {
  if (resource.endsWith('**'))
    return action === 'read' && resource !== '**' ? `${escapeGlob(resource.slice(0, -3))}/**` : undefined
  const slash = resource.lastIndexOf('/')
  const [, extension] = /^[^.].*(\.[A-Za-z0-9]{1,10})$/.exec(resource.slice(slash + 1)) ?? []
  // Names at the top of a workspace are mostly configuration, and a deleted or moved path is a single thing.
  if (resource === '' || resource === '.') return undefined
  if (link || slash < 0 || extension === undefined || (action === 'read' && isSecretFile(resource)))
    return escapeGlob(resource)
  return `${escapeGlob(resource.slice(0, slash))}/*${extension}`
}

/**
 * Grants each part by its subcommand if all parts have one; otherwise the line as it stands, since parts may feed each
 * other.
 */
function commandGrants(line: string, isMixed: boolean): readonly Grant[] | undefined {
  if (line.trim() === '') return undefined
  const parts = (isMixed ? undefined : commandParser().plainParts(line))?.map(commandGrant)
  if (parts?.every(part => part !== undefined)) return parts
  return [{ action: 'exec', command: line, exact: true }]
}

function commandGrant(part: string): Grant | undefined {
  const words = commandParser().plainWords(part) ?? []
  const [program = '', sub = '', third = ''] = words
  const options = words.filter(word => word.startsWith('-'))
  if (!SUBCOMMANDS.get(program)?.includes(sub) || options.some(option => !/^[\w.=:,/@%+-]+$/.test(option)))
    return undefined
  if (sub !== 'run') return { action: 'exec', command: [program, sub, ...options].join(' ') }
  if (!/^[A-Za-z][\w:-]*$/.test(third)) return undefined
  return { action: 'exec', command: [program, sub, third, ...options].join(' ') }
}

function hostGrant(origin: string): Grant | undefined {
  const url = parseOrigin(origin)
  return url && !origin.includes('*') ? { action: 'net', host: url.host } : undefined
}

function describe({ action, path, command, host, secret, exact }: Grant): string {
  if (command !== undefined) return exact ? `run exactly '${command}'` : `run '${command} …'`
  return `${action} ${path ?? host ?? secret ?? ''}`
}
