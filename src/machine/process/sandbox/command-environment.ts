import { ToolError } from '../../../kernel/error.ts'
import { proxyVariables } from './forwarder.ts'
import { HOME } from './places.ts'
import { clockVariables, SEEDS, withSeeds } from './seeds.ts'
import type { SandboxSpec } from './types.ts'
import { toolVariables } from './visible-paths.ts'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Builds the command's complete environment: given variables, and those that inside paths require. */
export function commandEnvironment(
  spec: SandboxSpec,
  tools: { readonly path: string; readonly home: string; readonly visible: readonly string[] },
): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(spec.env)) {
    // Other names pass functions to a shell, and a NUL would end the argument early.
    if (NAME.test(name) && !value.includes('\0')) continue
    throw new ToolError('invalid_input', `'${name}' cannot be set as an environment variable`, {
      hint: 'Names are letters, digits and underscores; values hold no NUL',
    })
  }
  return {
    PATH: tools.path,
    ...toolVariables(tools.home, tools.visible),
    ...(spec.fixed ? { ...clockVariables(), ...withSeeds(spec.env, SEEDS) } : spec.env),
    HOME,
    TMPDIR: '/tmp',
    USER: 'user',
    LOGNAME: 'user',
    ...(spec.network && proxyVariables(spec.network.outside)),
  }
}
