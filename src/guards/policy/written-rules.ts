import type { Rule } from './rule.ts'
import type { Verdict } from '../verdict.ts'

/** A rule as a configuration writes it. */
export type WrittenRule = Omit<Rule, 'id' | 'source' | 'narrows'> & { readonly id?: string | undefined }

/** Names rules as messages do: by their author, and by their name or number there. */
export const namedRules = (
  sourceRules: readonly WrittenRule[] = [],
  source: 'user' | 'project',
  narrows?: true,
): readonly Rule[] =>
  sourceRules.map((given, index) => ({
    ...given,
    id: `${source}:${given.id ?? index + 1}`,
    source,
    ...(narrows && { narrows }),
  }))

/** Commands by their first words, as a configuration lists them; an allowed one may say what it writes. */
export interface CommandLists {
  readonly allow?: readonly AllowedCommand[] | undefined
  readonly ask?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
}

type AllowedCommand = string | { readonly command: string; readonly writes: readonly string[] }

export const commandOf = (one: AllowedCommand): string => (typeof one === 'string' ? one : one.command)

/** Returns the lists as rules, each named after its content. */
export const listedCommands = ({ allow = [], ask = [], deny = [] }: CommandLists = {}): readonly WrittenRule[] => [
  ...[...new Map(allow.map(one => [commandOf(one), one])).values()].map(one => ({
    ...commandRule('allow', commandOf(one)),
    ...(typeof one !== 'string' && { writes: one.writes }),
  })),
  ...[...new Set(ask)].map(command => commandRule('ask', command)),
  ...[...new Set(deny)].map(command => commandRule('deny', command)),
]

const commandRule = (verdict: Verdict, command: string) => ({
  id: `${verdict} ${command}`,
  action: 'exec' as const,
  command,
  verdict,
})
