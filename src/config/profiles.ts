import { ToolError } from '../kernel/error.ts'
import type { CommandLists } from '../guards/policy/written-rules.ts'
import type { Verdict } from '../guards/verdict.ts'
import type { ConfigFile } from './schema.ts'

/** Lists of commands for one environment, as a configuration names them. */
export interface CommandProfile extends CommandLists {
  readonly profile: string
  readonly source: 'user' | 'project'
  /** Whether its lists count in this workspace now. */
  readonly enabled: boolean
  readonly default?: Verdict | undefined
}

interface Files {
  readonly user: ConfigFile | undefined
  readonly project: ConfigFile | undefined
}

/** Lists the profiles of both files. Throws `invalid_input` if the chosen one is in neither. */
export function profilesIn({ user, project }: Files, activeProfile: string | undefined): readonly CommandProfile[] {
  const profiles = [
    ...commandProfiles(user, 'user', activeProfile),
    ...commandProfiles(project, 'project', activeProfile),
  ]
  if (activeProfile === undefined || profiles.some(({ enabled }) => enabled)) return profiles
  const names = [...new Set(profiles.map(({ profile }) => profile))]
  throw new ToolError('invalid_input', `The configuration has no profile '${activeProfile}'`, {
    hint:
      names.length === 0
        ? 'Write it under policy.profiles, or choose none'
        : `Choose ${names.join(' or ')} with --profile or TOOLWRIGHT_PROFILE`,
  })
}

const commandProfiles = (
  file: ConfigFile | undefined,
  source: CommandProfile['source'],
  activeProfile: string | undefined,
): readonly CommandProfile[] =>
  Object.entries(file?.policy?.profiles ?? {}).map(([profile, lists]) => ({
    profile,
    source,
    enabled: profile === activeProfile,
    ...lists,
  }))

/** Returns a file with the lists of this profile added to its own. The profile's default replaces the file's. */
export function withProfile(file: ConfigFile = {}, activeProfile?: string): ConfigFile {
  const [, profileLists] = Object.entries(file.policy?.profiles ?? {}).find(([name]) => name === activeProfile) ?? []
  if (!profileLists) return file
  const { commands = {} } = file.policy ?? {}
  const both = {
    allow: [...(commands.allow ?? []), ...(profileLists.allow ?? [])],
    ask: [...(commands.ask ?? []), ...(profileLists.ask ?? [])],
    deny: [...(commands.deny ?? []), ...(profileLists.deny ?? [])],
    default: profileLists.default ?? commands.default,
  }
  return { ...file, policy: { ...file.policy, commands: both } }
}
