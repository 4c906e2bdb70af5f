import { protectedRoot, type Protection } from '../guards/policy/builtin.ts'
import { mergeConfig, type Merged } from './merge.ts'
import type { CommandProfile } from './profiles.ts'
import { namedConfig, projectConfig, userConfig } from '../machine/state/config-file.ts'
import { configDirectory, type Environment } from '../machine/state/directory.ts'
import { refuseInside } from '../machine/state/outside.ts'
import { protectedPlaces } from '../machine/workspace/protected-places.ts'

/** The effective configuration, with the profiles that it was chosen from. */
export interface Loaded extends Merged {
  readonly profiles: readonly CommandProfile[]
}

interface ConfigChoice {
  /** A file in place of the user's own. */
  readonly config?: string | undefined
  /** A profile in place of the one that the environment names. */
  readonly profile?: string | undefined
}

/** Loads the configuration of a workspace: the user's file, or the one named instead, and the project's. */
export async function loadConfig(
  root: string,
  env: Environment,
  { config: configFile, profile: requestedProfile = env['TOOLWRIGHT_PROFILE'] }: ConfigChoice,
): Promise<Loaded> {
  const home = configDirectory(env)
  refuseInside(
    root,
    home,
    'configuration directory',
    'Set TOOLWRIGHT_CONFIG_HOME to a directory outside the workspace.',
  )
  const user = configFile === undefined ? userConfig(home) : namedConfig(configFile, root)
  const project = projectConfig(root)
  // An empty variable chooses nothing.
  const activeProfile = requestedProfile === '' ? undefined : requestedProfile
  if (!user && !project && activeProfile === undefined) return { ...mergeConfig(), profiles: [] }
  const [{ parseConfig, ENGINES }, { profilesIn, withProfile }, { trustOf }] = await Promise.all([
    import('./file.ts'),
    import('./profiles.ts'),
    import('../machine/state/trust.ts'),
  ])
  const isTrusted = project !== undefined && trustOf(home, project.path, project.hash) === 'trusted'
  const files = {
    user: user && (await parseConfig(user.text, user.path)),
    project: project && (await parseConfig(project.text, project.path)),
  }
  const profiles = profilesIn(files, activeProfile)
  const [userSettings, theirs] = [files.user, files.project].map(file => withProfile(file, activeProfile))
  return { ...mergeConfig(userSettings, theirs, isTrusted, ENGINES), profiles }
}

/** Returns what is protected in this workspace besides the general rules: its own location, and special files in it. */
export function protectionOf(root: string, config: string | undefined): Protection {
  const inside = protectedRoot(root)
  const places = protectedPlaces(root, config)
  return {
    platform: process.platform,
    ...(inside !== undefined && { root: inside }),
    ...(places.length > 0 && { kept: places }),
  }
}
