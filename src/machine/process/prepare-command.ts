import type { CallContext } from '../../kernel/tool.ts'
import { startDirectory, type CommandParts, type CommandPlace, type Ready } from './command-place.ts'
import { commandWords, type CommandWords } from './command-words.ts'
import { environmentOf } from './environment.ts'
import { outsideRepository } from './outside-repository.ts'
import { noSandbox } from './run-error.ts'
import type { SandboxSpec } from './sandbox/types.ts'
import type { RunSpec } from './types.ts'

interface Prepared extends Pick<CommandWords, 'stdin' | 'shell'> {
  readonly ready: Ready
  /** Sandbox settings for any command, foreground or background. */
  readonly common: Pick<SandboxSpec, 'root' | 'argv' | 'cwd' | 'env' | 'fixed' | 'terminal' | 'shown'>
}

/**
 * Common preparation of every command: a working sandbox, words without secrets, a directory of the workspace and an
 * environment.
 */
export async function prepareCommand(
  parts: CommandParts,
  place: CommandPlace,
  spec: RunSpec,
  call: CallContext,
): Promise<Prepared> {
  const ready = await parts.ready()
  if (!ready.report.usable) throw noSandbox(ready.report)
  const cwd = startDirectory(place, spec.cwd)
  const { argv, env, stdin, shell } = commandWords(spec, call.secrets)
  const root = place.root.path
  // An outside repository shows the same history as the workspace's own.
  const repositoryPlaces = place.hides?.unseen === undefined ? outsideRepository(root)?.shown : undefined
  return {
    ready,
    stdin,
    ...(shell && { shell }),
    common: {
      root,
      argv,
      cwd,
      env: { ...environmentOf({ root, ...parts }), ...env },
      fixed: parts.fixed,
      ...(repositoryPlaces !== undefined && { shown: repositoryPlaces }),
      ...(spec.terminal && { terminal: spec.terminal }),
    },
  }
}
