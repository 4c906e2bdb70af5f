import type { Claim, Effect } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import type { CommandTree } from '../kernel/open-options.ts'
import type { Commands } from './schedule.ts'

/** The claims that a tool states. One that claims more than it declares is a defect, and nothing of it runs. */
export function declaredClaims(tool: AnyTool<never>, claims: readonly Claim[]): readonly Claim[] {
  const undeclared = claims.find(({ action }) => action === 'reveal' || !tool.effects.includes(action))
  if (undeclared) throw new Error(`${tool.name} claims '${undeclared.action}' and does not declare it`)
  return claims
}

/** The claim on each secret that an input names. */
export const reveals = (keys: readonly string[]): readonly Claim[] =>
  keys.map(resource => ({ action: 'reveal', resource }))

interface Affecting {
  readonly effects: readonly Effect[]
}

/** Reports whether any call of a tool can leave files changed. */
export const mutates = ({ effects }: Affecting): boolean =>
  effects.includes('write') || effects.includes('create') || effects.includes('exec')

/** A tool that only reads gets no secret: a search for one would tell whether a guess is right. */
export const mayReveal = ({ effects }: Affecting): boolean => effects.some(effect => effect !== 'read')

/** What a dry run does for real: it changes no file, but what it reads, runs, requests and reveals is no less real in one. */
export const really = ({ action }: Claim): boolean => action !== 'create' && action !== 'write'

/** A value spliced into a command is code as soon as it holds a quote, so that a command gets its secrets apart. */
export const isCommand = ({ action }: Claim): boolean => action === 'exec'

/** How the commands of a call go along with others: what they may change by themselves is known when they have ended. */
export function commandMode(
  claims: readonly Claim[],
  { tree, isAlone }: { readonly tree: CommandTree; readonly isAlone: boolean },
): Commands {
  // One in the background writes to the workspace itself.
  if (isAlone || !claims.some(isCommand) || claims.some(changesFiles)) return 'alone'
  return tree === 'writable' ? 'merging' : 'reading'
}

/** What a call only stages is asked about when its transaction lands, all of it at once. */
export const cannotWait = (claim: Claim): boolean => claim.staged === true || !changesFiles(claim)

const changesFiles = ({ action }: Claim): boolean => action === 'write' || action === 'create'

export const isRead = ({ action }: Claim): boolean => action === 'read'

/** Throws for a task whose name could lead elsewhere: files of its own are named after it. */
export function demandName(task: string): void {
  const isPlain = task.trim() !== '' && task !== '.' && !/\.\.|[/\\\p{Cc}]/u.test(task)
  if (isPlain && Buffer.byteLength(task) <= 200) return
  throw new ToolError('invalid_input', `'${task}' cannot be the name of a component or task`, {
    hint: 'Use a plain name of at most 200 bytes, without separators and control characters',
  })
}
