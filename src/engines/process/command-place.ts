import type { Claim } from '../../kernel/claim.ts'
import type { Egress } from '../../kernel/egress.ts'
import { ToolError } from '../../kernel/error.ts'
import type { Hides } from '../../kernel/hides.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import type { Network } from '../web/network.ts'
import { show } from '../workspace/path.ts'
import type { Root } from '../workspace/root.ts'
import type { Staging } from '../workspace/staging.ts'
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
}

/** What the commands of one call may do, and where what they change goes. */
export interface CommandPlace {
  readonly root: Root
  readonly staging: Staging
  readonly claims: readonly Claim[]
  readonly hides: Hides | undefined
  readonly isJudged: (path: string) => boolean
  /** Everything that it changes has to be judged before it lands. */
  readonly stagedOnly: boolean
  readonly egress: Egress
  readonly dryRun: boolean
  readonly inTransaction: boolean
}

/** The line as it was claimed; one that was not is not run, whatever the tool does. */
export function claimedLine({ line, argv }: RunSpec, claims: readonly Claim[]): string {
  const words = line ?? quoteArgv(argv ?? [])
  if (words.trim() === '') throw new ToolError('invalid_input', 'The command is empty')
  if (claims.some(({ action, resource }) => action === 'exec' && resource === words)) return words
  throw new ToolError('denied', `The command ${show(words)} was not claimed`)
}

/** The directory that a command starts in, in the workspace as staged. */
export const startDirectory = ({ root, staging }: CommandPlace, cwd = '.'): string =>
  createView(root, staging).look(cwd, {}, ({ located, type }) => {
    if (type === 'directory') return located.rel
    throw new ToolError(
      type === 'absent' ? 'not_found' : 'not_a_directory',
      `${show(cwd)} is ${type === 'absent' ? 'not there' : 'not a directory'}`,
      { hint: 'Give a directory of the workspace as cwd' },
    )
  })
