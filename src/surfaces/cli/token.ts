import { ToolError } from '../../kernel/error.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { workspaceState } from '../../machine/state/directory.ts'
import { serverPlace } from '../../machine/state/server-place.ts'
import { openTokens, SCOPES, type Scope, type Tokens } from '../../machine/state/tokens.ts'
import { workspaceOf } from './find-workspace.ts'
import { say, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const OPTIONS = { name: { type: 'string' }, scope: { type: 'string' } } as const

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values']

/** `toolwright token`: makes, lists and revokes the tokens of clients of `toolwright serve`. */
export async function token(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('token', args, OPTIONS)
  const [verb = 'list', name, ...more] = positionals
  if (verb !== 'new' && verb !== 'list' && verb !== 'revoke')
    throw new UsageError(`'token' has no '${verb}'`, 'token', { typed: verb, known: ['new', 'list', 'revoke'] })
  if ((verb === 'revoke') !== (name !== undefined) || more.length > 0)
    throw new UsageError(
      verb === 'revoke' ? 'Name one token, e.g. token revoke editor' : `'token ${verb}' takes no arguments`,
      'token',
    )
  const tokens = openTokens(serverPlace(workspaceState(workspaceOf(terminal, values), terminal.env).path))
  if (verb === 'new') return add(tokens, values, terminal)
  if (name !== undefined) return revoke(tokens, name, values, terminal)
  return list(tokens, values, terminal)
}

function add(tokens: Tokens, { name, scope = 'read,call', json }: Values, terminal: Terminal): number {
  if (name === undefined) throw new UsageError('Name the client with --name', 'token')
  const scopes = scope.split(',').map(scopeOf)
  const newToken = tokens.add(name, scopes, new Date().toISOString())
  if (json) say(terminal, jsonLine({ name, scopes, token: newToken }))
  else {
    say(terminal, newToken)
    warn(terminal, `The token of '${name}' for ${scopes.join(', ')}. It is not shown again.`)
  }
  return EXIT.ok
}

function scopeOf(text: string): Scope {
  const scope = SCOPES.find(one => one === text.trim())
  if (scope) return scope
  throw new UsageError(`--scope takes ${SCOPES.join(', ')}, not '${text}'`, 'token', { typed: text, known: SCOPES })
}

function list(tokens: Tokens, { json }: Values, terminal: Terminal): number {
  const all = tokens.list()
  if (json) say(terminal, jsonLine(all))
  else if (all.length === 0) say(terminal, 'No client has a token.')
  else for (const { name, scopes, at } of all) say(terminal, `${sanitize(name)}  ${scopes.join(',')}  since ${at}`)
  return EXIT.ok
}

function revoke(tokens: Tokens, name: string, { json }: Values, terminal: Terminal): number {
  if (!tokens.revoke(name))
    throw new ToolError('not_found', `There is no token '${name}'`, { hint: 'toolwright token list shows them' })
  if (json) say(terminal, jsonLine({ revoked: name }))
  else say(terminal, `Revoked '${sanitize(name)}'.`)
  return EXIT.ok
}
