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

/** The sandbox, what was found out about it, and where the layers of its commands are made. */
export interface Ready {
  readonly sandbox: Sandbox
  readonly report: SandboxReport
  readonly scratch: string
}

/** What commands in one workspace have in common. */
export interface CommandParts {
  /** Opened and tried with the first command. */
  readonly ready: () => Promise<Ready>
  /** The user switched the sandbox off. */
  readonly off: boolean
  readonly limits: CommandLimits
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables that the caller's program sets. */
  readonly given: Readonly<Record<string, string>>
  /** Deterministic mode. */
  readonly fixed: boolean
  readonly network: Network | 'system' | 'none'
  readonly background: Background
  /** Where it is noted that a background command runs. */
  readonly marks: string
}

/** What the commands of one call may do, and where what they change goes. */
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

/** The line as it was claimed; one that was not is not run, whatever the tool does. */
export function claimedLine({ line, argv, stdin }: RunSpec, claims: readonly Claim[]): string {
  const words = line ?? quoteArgv(argv ?? [])
  if (words.trim() === '') throw new ToolError('invalid_input', 'The command is empty')
  const claim = claims.find(({ action, resource }) => action === 'exec' && resource === words)
  if (claim && stdin !== undefined && claim.input === undefined)
    throw new ToolError('denied', `The input of the command ${show(words)} was not claimed`, {
      hint: "A tool claims it with execs(command, cwd, 'given')",
    })
  if (claim) return words
  throw new ToolError('denied', `The command ${show(words)} was not claimed`)
}

/** Input for a command that runs is judged as well, because some programs take commands from it. */
export function claimedInput(line: string, claims: readonly Claim[]): void {
  if (claims.some(({ action, resource, input }) => action === 'exec' && input === 'added' && resource === line)) return
  throw new ToolError('denied', `Input for the command ${show(line)} was not claimed`, {
    hint: 'A tool claims it with inputs(facts, handle)',
  })
}

/** The directory that a command starts in, in the workspace as staged. */
export const startDirectory = ({ root, staging, claims, hides }: CommandPlace, cwd = '.'): string =>
  createView(root, staging).look(cwd, {}, ({ located, type }) => {
    // What git shows there was judged by it.
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
