import type { GitHistory } from '../kernel/git-history.ts'
import { onceLoaded, openedOnUse } from '../kernel/once.ts'
import type { CommandParts } from '../machine/process/command-place.ts'
import type { CommandOptions, Commands } from '../machine/process/open-commands.ts'

/** How one session runs commands. */
export type SessionCommands = Parameters<Commands['parts']>[0]

/** The commands of a workspace; their code is loaded with the first command. */
export interface LazyCommands extends Pick<Commands, 'validate' | 'report' | 'close'> {
  parts(options: SessionCommands): Promise<CommandParts>
  /** Returns the line of a background command; loads nothing if none ran. */
  backgroundLine(handle: string): string | undefined
  /** The history of the repository, unknown until it is loaded. */
  readonly history: GitHistory
  loadHistory(): Promise<void> | undefined
}

export function lazyCommands(options: CommandOptions & { readonly history: string }): LazyCommands {
  const { open, opened, close } = openedOnUse(async () =>
    (await import('../machine/process/open-commands.ts')).openCommands(options),
  )
  let history: GitHistory | undefined
  const loadHistory = onceLoaded(async () => {
    const { openHistory } = await import('../machine/process/denied-history.ts')
    history = openHistory({ root: options.root.path, file: options.history, env: options.env, hides: !options.off })
  })
  return {
    parts: async more => (await open()).parts(more),
    validate: async (...args) => (await open()).validate(...args),
    report: async () => (await open()).report(),
    backgroundLine: handle => opened()?.backgroundLine(handle),
    history: {
      denied: (...args) => history?.denied(...args),
      isHidden: path => history?.isHidden(path) ?? false,
      has: what => history?.has(what) ?? true,
    },
    loadHistory: () => (history ? undefined : loadHistory()),
    close,
  }
}
