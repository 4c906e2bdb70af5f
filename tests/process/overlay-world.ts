import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openOverlay, type Overlay, type OverlayOptions } from '../../src/machine/process/overlay/open-overlay.ts'
import { openSandbox } from '../../src/machine/process/sandbox/open-sandbox.ts'
import type { Limits } from '../../src/machine/process/sandbox/types.ts'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { openCommitStore } from '../../src/machine/workspace/commit/commit-store.ts'
import { openRoot, type Root } from '../../src/machine/workspace/root.ts'
import { createStaging, type Staging } from '../../src/machine/workspace/staging.ts'

const limits: Limits = {
  wallMs: 20_000,
  cpuSeconds: 20,
  memoryBytes: 2 ** 30,
  processes: 128,
  fileBytes: 2 ** 28,
  outputBytes: 2 ** 20,
  tmpBytes: 2 ** 26,
  writtenBytes: 2 ** 31,
}

export interface OverlayWorld extends Disposable {
  readonly path: string
  readonly root: Root
  readonly scratch: string
  open(staging?: Staging, options?: Partial<OverlayOptions>): Overlay
  /** Runs a script in the tree of an overlay; gives what it printed. */
  run(overlay: Overlay, script: string): Promise<string>
  /** Lands what is staged. */
  land(staging: Staging): void
  /** Lands what the command of an overlay left. */
  landCommand(overlay: Overlay): void
}

/** A workspace with a real sandbox, and the layers of its commands beside it. */
export function overlayWorld(prepare: string): OverlayWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-overlay-')))
  const [path, state, scratch] = ['workspace', 'state', 'scratch'].map(name => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const place of [path, state, scratch]) mkdirSync(place)
  shell(path, prepare)
  const root = openRoot(path)
  const store = openCommitStore(root, state)
  const sandbox = openSandbox({ root: path, scratch })
  let commits = 0
  const stagings = new WeakMap<Overlay, Staging>()
  const land = (staging: Staging): void => void commit(root, store, staging.toOperations(), { id: `c${++commits}` })
  return {
    path,
    root,
    scratch,
    open(staging = createStaging(), options = {}) {
      const overlay = openOverlay(root, staging, {
        scratch,
        overlay: true,
        hides: undefined,
        memory: new Map(),
        keepsRepository: () => true,
        mustStage: () => false,
        env: process.env,
        ...options,
      })
      stagings.set(overlay, staging)
      return overlay
    },
    async run({ tree, readOnly, hidden }, script) {
      const started = sandbox.start({
        root: path,
        argv: ['/bin/bash', '-c', script],
        cwd: '.',
        env: {},
        tree,
        readOnly,
        hidden,
        network: undefined,
        limits,
        stdin: 'none',
      })
      const [out, err] = await Promise.all([text(started.stdout), text(started.stderr), started.exit])
      return out + err
    },
    land,
    landCommand: overlay => overlay.landing(() => land(stagings.get(overlay) ?? createStaging())),
    [Symbol.dispose]() {
      store.close()
      root.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** The same script on a directory itself, outside every sandbox: what the merged tree has to equal. */
export const shell = (directory: string, script: string): string =>
  execFileSync('/bin/bash', ['-c', script], { cwd: directory, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
