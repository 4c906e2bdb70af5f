import { mergeConfig, type Merged } from './config.ts'
import { namedConfig, projectConfig, userConfig } from './engines/state/config-file.ts'
import { configDirectory, type Environment } from './engines/state/directory.ts'
import { refuseInside } from './engines/state/outside.ts'

/** The configuration in force for a workspace: the user's file, or the one that is named in its place, and the project's. */
export async function loadConfig(root: string, env: Environment, named: string | undefined): Promise<Merged> {
  const home = configDirectory(env)
  refuseInside(
    root,
    home,
    'configuration directory',
    'Set TOOLWRIGHT_CONFIG_HOME to a directory outside the workspace.',
  )
  const user = named === undefined ? userConfig(home) : namedConfig(named)
  const project = projectConfig(root)
  if (!user && !project) return mergeConfig()
  const [{ parseConfig }, { trustOf }] = await Promise.all([
    import('./config-file.ts'),
    import('./engines/state/trust.ts'),
  ])
  const trusted = project !== undefined && trustOf(home, project.path, project.hash) === 'trusted'
  return mergeConfig(
    user && parseConfig(user.text, user.path),
    project && parseConfig(project.text, project.path),
    trusted,
  )
}
