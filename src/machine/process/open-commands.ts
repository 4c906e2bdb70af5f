import { join } from 'node:path'
import { once } from '../../kernel/once.ts'
import type { StartRules } from '../../kernel/start-rules.ts'
import type { Root } from '../workspace/root.ts'
import type { Staging } from '../workspace/staging.ts'
import { createBackground } from './background.ts'
import { stricter } from './stricter-limits.ts'
import type { CommandParts } from './command-place.ts'
import type { SandboxReport } from './sandbox/types.ts'
import type { CommandLimits } from './types.ts'
import type { Validated, Validator } from '../workspace/validators.ts'

export interface CommandOptions {
  readonly root: Root
  /** State directory of this workspace. */
  readonly state: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly off: boolean
  readonly limits: CommandLimits
}

interface ValidateOptions {
  /** Deterministic mode. */
  readonly fixed: boolean
  /** Policy for programs that validators start. */
  readonly starts?: StartRules | undefined
}

/** Settings of one session's commands. */
interface SessionParts extends Pick<CommandParts, 'given' | 'fixed' | 'network'> {
  readonly timeoutMs?: number
  /** The stricter of these and the workspace's limits apply. */
  readonly limits?: Partial<CommandLimits>
}

/** Commands of one workspace, across sessions. */
export interface Commands {
  parts(more: SessionParts): CommandParts
  validate(staging: Staging, validators: readonly Validator[], options: ValidateOptions): Promise<Validated[]>
  /** Returns the line of a background command, or undefined for an unknown handle. */
  backgroundLine(handle: string): string | undefined
  /** Report for doctor. */
  report(): Promise<SandboxReport>
  close(): Promise<void>
}

/** Loads and probes nothing before the first command. */
export function openCommands({ root, state, env, off, limits }: CommandOptions): Commands {
  const background = createBackground()
  const ready = once(async () => {
    const [{ openSandbox }, { scratchDirectory }] = await Promise.all([
      import('./sandbox/open-sandbox.ts'),
      import('./overlay/scratch.ts'),
    ])
    const scratch = scratchDirectory(state)
    const sandbox = openSandbox({ root: root.path, off, scratch, env })
    return { sandbox, scratch, report: sandbox.report() }
  })
  const common = {
    ready,
    off,
    limits,
    env,
    background,
    marks: join(state, 'background'),
    landings: join(state, 'landings'),
  }
  return {
    parts: ({ timeoutMs, limits: own = {}, ...more }) => ({
      ...common,
      ...more,
      limits: { ...stricter(limits, own), ...(timeoutMs !== undefined && { timeoutMs }) },
    }),
    async validate(staging, validators, { fixed, starts }) {
      if (off) return (await import('./validate-copy.ts')).validateCopy(root, staging, validators, fixed)
      const { validateInSandbox } = await import('./validate-in-sandbox.ts')
      return validateInSandbox({ ...common, given: {}, fixed, network: 'none' }, root, staging, { validators, starts })
    },
    backgroundLine: handle => background.lineOf(handle),
    async report() {
      const { report } = await ready()
      const { outsideRepository } = await import('./outside-repository.ts')
      const outside = off ? undefined : outsideRepository(root.path)
      if (outside === undefined) return report
      const lands = `what git in commands changes in ${outside.shown}, outside the workspace, lands there`
      return { ...report, words: [...report.words, outside.isApart && report.overlay ? lands : outside.words] }
    },
    close: () => background.close(),
  }
}
