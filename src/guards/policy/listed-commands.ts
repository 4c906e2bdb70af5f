import type { WrittenRule } from './named-rules.ts'
import type { Verdict } from './verdict.ts'

/** Commands by their first words, as a configuration lists them. */
export type CommandLists = { readonly [verdict in Verdict]?: readonly string[] | undefined }

/** The lists as rules; each is named after what it says. */
export const listedCommands = (lists: CommandLists = {}): readonly WrittenRule[] =>
  (['allow', 'ask', 'deny'] as const).flatMap(verdict =>
    [...new Set(lists[verdict])].map(command => ({
      id: `${verdict} ${command}`,
      action: 'exec' as const,
      command,
      verdict,
    })),
  )
