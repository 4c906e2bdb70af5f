import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import type { Network } from '../web/network.ts'
import type { CallScope } from '../workspace/call-scope.ts'
import { show } from '../workspace/path.ts'
import { createView } from '../workspace/view.ts'
import type { Background } from './background.ts'
import type { Sandbox, SandboxReport } from './sandbox/types.ts'
import type { CommandLimits, RunSpec } from './types.ts'

/** The sandbox, its report, and the directory for the layers of its commands. */
export interface Ready {
  readonly sandbox: Sandbox
  readonly report: SandboxReport
  readonly scratch: string
}

/** Shared by all commands of one workspace. */
export interface CommandParts {
  /** Opens and probes the sandbox with the first command. */
  readonly ready: () => Promise<Ready>
  /** The user switched the sandbox off. */
  readonly off: boolean
  readonly limits: CommandLimits
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables set by the calling program. */
  readonly given: Readonly<Record<string, string>>
  /** Deterministic mode. */
  readonly fixed: boolean
  readonly network: Network | 'system' | 'none'
  readonly background: Background
  /** Directory for the records of running background commands. */
  readonly marks: string
  /** Directory for the records of landings. */
  readonly landings: string
}

/** Permissions of one call's commands, and the destination of their changes. */
export interface CommandPlace extends Pick<
  CallScope,
  | 'root'
  | 'staging'
  | 'claims'
  | 'hides'
  | 'isJudged'
  | 'stagedOnly'
  | 'egress'
  | 'preview'
  | 'commandTree'
  | 'keepsRepository'
  | 'begin'
  | 'starts'
  | 'plan'
> {
  readonly inTransaction: boolean
}

/** Returns the claimed command line. Refuses a line without a claim, regardless of the tool. */
export function claimedLine({ line, argv, stdin }: RunSpec, claims: readonly Claim[]): string {
  const words = line ?? quoteArgv(argv ?? [])
  if (words.trim() === '') throw isEmpty()
  const claim = claims.find(({ action, resource }) => action === 'exec' && resource === words)
  if (claim && stdin !== undefined && claim.input === undefined)
    throw new ToolError('denied', `The input of the command ${show(words)} was not claimed`, {
      hint: "A tool claims it with execs(command, cwd, 'given')",
    })
  if (claim) return words
  throw new ToolError('denied', `The command ${show(words)} was not claimed`)
}

/** Judges input for a running command too, because some programs take commands from it. */
export function claimedInput(line: string, claims: readonly Claim[]): void {
  if (claims.some(({ action, resource, input }) => action === 'exec' && input === 'added' && resource === line)) return
  throw new ToolError('denied', `Input for the command ${show(line)} was not claimed`, {
    hint: 'A tool claims it with inputs(facts, handle)',
  })
}

/** Returns the start directory of a command, in the staged workspace. */
export const startDirectory = ({ root, staging, claims, hides }: CommandPlace, cwd = '.'): string =>
  createView(root, staging).look(cwd, {}, ({ located, type }) => {
    // The claim judged what git shows in the directory.
    if (hides && located.rel !== '.' && !claims.some(claim => claim.action === 'exec' && claim.cwd === cwd))
      throw new ToolError('denied', `The command was not claimed for the directory ${show(cwd)}`, {
        hint: 'A tool claims it with execs(command, cwd)',
      })
    if (type === 'directory') return located.rel
    throw new ToolError(
      type === 'absent' ? 'not_found' : 'not_a_directory',
      `${show(cwd)} is ${type === 'absent' ? 'not there' : 'not a directory'}`,
      { hint: 'Give a directory of the workspace as cwd' },
    )
  })

/** Throws if a claimed command is empty or has no directory to start in. Reports nothing about hidden places. */
export function ensureCanStart(place: CommandPlace): void {
  const view = createView(place.root, place.staging)
  const isHidden = (cwd: string) => view.look(cwd, {}, ({ located: { rel } }) => place.hides?.matches(rel, true))
  for (const { action, resource, cwd } of place.claims) {
    if (action === 'exec' && resource.trim() === '') throw isEmpty()
    if (action === 'exec' && cwd !== undefined && !isHidden(cwd)) startDirectory(place, cwd)
  }
}

const isEmpty = (): ToolError =>
  new ToolError('invalid_input', 'The command is empty', { hint: 'Give a shell line or a program to run' })
