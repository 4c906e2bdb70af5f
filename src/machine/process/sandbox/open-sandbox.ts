import { homedir, tmpdir } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { ToolError } from '../../../kernel/error.ts'
import { linuxSandbox } from './linux-sandbox.ts'
import { plainSandbox } from './plain-sandbox.ts'
import type { Sandbox, SandboxParts } from './types.ts'

export interface SandboxOptions {
  /** The workspace, a real path. Its owner decides which way is used. */
  readonly root: string
  /** Explicit choice of the user: commands run without a sandbox. */
  readonly off?: boolean
  /** Directory for the upper layers of overlays; default: the directory for temporary files. */
  readonly scratch?: string
  /** Further directories that commands may see, read-only. */
  readonly visible?: readonly string[]
  /** `false`: creates no cgroup, even if one could be created. */
  readonly cgroup?: boolean
  /** Environment whose PATH and HOME locate tools; default: our own. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Opens the sandbox of this system. Probes once, at the first report or command. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const env = options.env ?? process.env
  const parts: SandboxParts = {
    root: options.root,
    scratch: options.scratch ?? tmpdir(),
    visible: options.visible ?? [],
    cgroup: options.cgroup ?? true,
    path: env['PATH'] ?? DEFAULT_PATH,
    home: env['HOME'] ?? homedir(),
  }
  return mainThreadOnly(options.off ? plainSandbox(parts) : forSystem(parts))
}

function forSystem(parts: SandboxParts): Sandbox {
  if (process.platform === 'linux') return linuxSandbox(parts)
  const cause = `there is no sandbox for commands on ${process.platform}`
  const fix = 'run Toolwright on Linux (on Windows in WSL 2, on macOS in a container or a virtual machine)'
  return {
    report: () => ({ usable: false, situation: 'none', overlay: false, cgroup: false, words: [], cause, fix }),
    start() {
      throw new ToolError('unavailable', `Commands cannot run here: ${cause}`, { hint: fix })
    },
  }
}

/** A sandbox dies with the thread that started it, not only with the process. */
const mainThreadOnly = (sandbox: Sandbox): Sandbox => ({
  report: () => sandbox.report(),
  start(spec) {
    if (!isMainThread) throw new Error('Only the main thread can start commands: those of a worker would end with it')
    return sandbox.start(spec)
  },
})
