import { noSandbox } from '../../../machine/process/run-error.ts'
import type { Started } from '../../../machine/process/sandbox/types.ts'
import type { Program } from '../../../languages/server-definition.ts'
import type { HiddenFiles } from './hidden-files.ts'
import { sandboxOffError } from './server-error.ts'
import type { ServersParts } from './types.ts'

const FOR_EVER_MS = 7 * 86_400_000

/** Starts a server in the sandbox: read-only workspace without hidden files, no network. */
export async function launchServer(
  { root, env, off, limits: serverLimits }: Pick<ServersParts, 'root' | 'env' | 'off' | 'limits'>,
  name: string,
  { argv, env: more = {}, visible }: Program,
  hiddenFiles: HiddenFiles,
): Promise<Started> {
  if (off && hiddenFiles.paths.length > 0) throw sandboxOffError(name)
  const { timeoutMs: _, ...limits } = serverLimits
  const { openSandbox } = await import('../../../machine/process/sandbox/open-sandbox.ts')
  const sandbox = openSandbox({ root: root.path, off, env, visible })
  const report = sandbox.report()
  if (!report.usable) throw noSandbox(report)
  return sandbox.start({
    root: root.path,
    argv,
    cwd: '.',
    env: { ...more, LANG: 'C.UTF-8' },
    tree: { kind: 'read-only' },
    readOnly: [],
    hidden: hiddenFiles.paths,
    network: undefined,
    // As for a command, but without a time limit.
    limits: { ...limits, wallMs: FOR_EVER_MS, cpuSeconds: FOR_EVER_MS / 1000 },
    stdin: 'pipe',
  })
}
