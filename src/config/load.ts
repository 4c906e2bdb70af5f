import { protectedRoot, type Protection } from '../guards/policy/builtin.ts'
import { mergeConfig, type Merged } from './merge.ts'
import { namedConfig, projectConfig, userConfig } from '../machine/state/config-file.ts'
import { configDirectory, type Environment } from '../machine/state/directory.ts'
import { refuseInside } from '../machine/state/outside.ts'
import { protectedPlaces } from '../machine/workspace/protected-places.ts'

/** Loads the configuration of a workspace: the user's file, or the one named instead, and the project's. */
export async function loadConfig(root: string, env: Environment, named: string | undefined): Promise<Merged> {
  const home = configDirectory(env)
  refuseInside(
    root,
    home,
    'configuration directory',
    'Set TOOLWRIGHT_CONFIG_HOME to a directory outside the workspace.',
  )
  const user = named === undefined ? userConfig(home) : namedConfig(named, root)
  const project = projectConfig(root)
  if (!user && !project) return mergeConfig()
  const [{ parseConfig }, { trustOf }] = await Promise.all([import('./file.ts'), import('../machine/state/trust.ts')])
  const trusted = project !== undefined && trustOf(home, project.path, project.hash) === 'trusted'
  return mergeConfig(
    user && (await parseConfig(user.text, user.path)),
    project && (await parseConfig(project.text, project.path)),
    trusted,
  )
}

/** Returns what is protected in this workspace besides the general rules: its own location, and special files in it. */
export function protectionOf(root: string, config: string | undefined): Protection {
  const inside = protectedRoot(root)
  const kept = protectedPlaces(root, config)
  return {
    platform: process.platform,
    ...(inside !== undefined && { root: inside }),
    ...(kept.length > 0 && { kept }),
  }
}
