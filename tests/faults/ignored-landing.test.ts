// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it as plain } from 'vitest'
import { applyChanges } from '../../src/machine/process/overlay/apply-changes.ts'
import { openLayer } from '../../src/machine/process/overlay/layer.ts'
import type { LayerChange } from '../../src/machine/process/overlay/layer-change.ts'
import { completeLandings, noteLanding } from '../../src/machine/process/overlay/pending-landing.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { snapshotOf, type Snapshot } from '../../src/testing/temporary-workspace.ts'
import { CLI } from '../cli-program.ts'
import { needs } from '../needs.ts'
import { repository, shell } from '../process/git-world.ts'
import { changesDisk, Crash, faulty } from './faulty-sys.ts'

const BEFORE =
  'mkdir -p changed gone/in kinds/dir; for n in 1 2 3; do echo old > changed/$n; echo old > gone/in/$n; done; ' +
  'echo old > kinds/file; echo old > kinds/dir/x; ln -s old kinds/link; ln -s old kinds/to-file; chmod 600 changed/3'

/** The layer, and with what follows what the command made of it. */
const LAYER =
  'mkdir -p changed made/deep kinds/file; for n in 1 2 3; do echo new > changed/$n; echo new > made/deep/$n; done; ' +
  'echo new > kinds/file/x; echo new > kinds/dir; ln -s new kinds/link; echo new > kinds/to-file; chmod 777 changed/2; ln -s new made/link'

function changes(layer: ReturnType<typeof openLayer>): LayerChange[] {
  const file = (path: string, fresh = false): LayerChange => ({
    type: 'file',
    path,
    fresh,
    mode: Number(layer.stats(path).mode & 0o777n),
    size: Number(layer.stats(path).size),
    at: { layer, path },
  })
  const directory = (path: string): LayerChange => ({ type: 'directory', path, fresh: false, mode: 0o755 })
  const absent = (path: string, was: 'file' | 'directory' = 'file'): LayerChange => ({
    type: 'absent',
    path,
    fresh: false,
    was,
  })
  const link = (path: string): LayerChange => ({ type: 'symlink', path, fresh: false, target: 'new' })
  return [
    ...['1', '2', '3'].flatMap(name => [
      file(`changed/${name}`),
      file(`made/deep/${name}`, true),
      absent(`gone/in/${name}`),
    ]),
    absent('gone/in', 'directory'),
    absent('gone', 'directory'),
    directory('made'),
    directory('made/deep'),
    link('made/link'),
    link('kinds/link'),
    file('kinds/to-file'),
    directory('kinds/file'),
    file('kinds/file/x', true),
    absent('kinds/dir/x'),
    file('kinds/dir'),
  ]
}

/** A landing that dies before its call of this number that changes the disk, and what the next opening makes of it. */
function crash(at: number, commit: string | undefined, hasLanded: boolean): { died: boolean; tree: Snapshot } {
  const base = mkdtempSync(join(tmpdir(), 'toolwright-landing-'))
  try {
    const [workspace, directory, records] = ['workspace', 'command', 'records'].map(name => join(base, name)) as [
      string,
      string,
      string,
    ]
    const upper = join(directory, 'upper')
    for (const place of [workspace, upper]) mkdirSync(place, { recursive: true })
    shell({ path: workspace } as Parameters<typeof shell>[0], BEFORE)
    shell({ path: upper } as Parameters<typeof shell>[0], LAYER)
    let calls = 0
    const { sys } = faulty((_number, call) => {
      if (calls > at || (changesDisk(call) && ++calls > at)) throw new Crash()
    })
    const root = openRoot(workspace, sys)
    const layer = openLayer(sys, upper)
    const made = changes(layer)
    const begun = BigInt(Date.now() + 60_000) * 1_000_000n
    const landing = { ...(commit !== undefined && { commit }), directory, layer: upper, begun, made }
    const { mark } = noteLanding(records, landing)
    applyChanges(root, commit !== undefined && !hasLanded ? [] : made, { mark })
    ofDeadProcess(records)
    const again = openRoot(workspace)
    try {
      completeLandings(again, records, () => hasLanded)
      completeLandings(again, records, () => hasLanded)
    } finally {
      again.close()
    }
    expect(readdirSync(records)).toEqual([])
    expect(readdirSync(base)).not.toContain('command')
    return { died: calls > at, tree: snapshotOf(workspace) }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function ofDeadProcess(records: string): void {
  for (const name of readdirSync(records)) {
    const file = join(records, name)
    const record = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...record, owner: { pid: 2 ** 22 - 1, start: 'gone' } }))
  }
}

describe('ignored paths that land while the process dies', () => {
  plain('are completed from every point, with nothing left over', () => {
    const whole = crash(Infinity, undefined, true)
    expect(whole.died).toBe(false)
    expect(whole.tree).toMatchObject({ 'changed/2': expect.stringMatching(/^777 /), 'kinds/link': '-> new' })
    expect(whole.tree['gone/']).toBeUndefined()
    let at = 0
    for (; ; at++) {
      const { died, tree } = crash(at, undefined, true)
      expect(tree, `died before call ${at}`).toEqual(whole.tree)
      if (!died) break
    }
    expect(at).toBeGreaterThan(30)
  })

  plain('are completed with their commit, and dropped without it', () => {
    const whole = crash(Infinity, 'commit', true)
    for (const at of [0, 5, 12]) expect(crash(at, 'commit', true).tree).toEqual(whole.tree)
    const before = crash(0, 'commit', false)
    expect(before.tree).toMatchObject({ 'gone/in/1': expect.any(String), 'kinds/link': '-> old' })
    expect(before.tree['made/']).toBeUndefined()
  })

  needs('bubblewrap')('of a command are all as before or all as after a kill', { timeout: 240_000 }, async () => {
    const line = 'echo new | tee dist/* > tracked.txt'
    let between = 0
    for (const waitMs of [0, 2, 6]) {
      await using workspace = repository()
      shell(workspace, 'mkdir dist; for n in $(seq 600); do echo old > dist/$n; done')
      const program = spawn(process.execPath, [CLI, 'call', 'run', JSON.stringify({ command: line }), '--yes'], {
        cwd: workspace.path,
        env: { ...process.env, ...workspace.env },
        stdio: 'ignore',
      })
      const ended = new Promise(resolve => void program.on('exit', resolve))
      const isBegun = (): boolean => ['1', '600', '300'].some(name => workspace.read(`dist/${name}`) === 'new\n')
      while (program.exitCode === null && !isBegun()) await setTimeout(1)
      await setTimeout(waitMs)
      program.kill('SIGKILL')
      await ended
      const count = (): number =>
        readdirSync(join(workspace.path, 'dist')).filter(name => workspace.read(`dist/${name}`) === 'new\n').length
      const left = count()
      if (left > 0 && left < 600) between++
      await workspace.open()
      expect([0, 600]).toContain(count())
      expect(Object.keys(workspace.snapshot()).filter(path => path.includes('.toolwright-'))).toEqual([])
      expect(Object.keys(workspace.snapshot()).includes('tracked.txt')).toBe(count() === 600)
    }
    console.log(`kills between the first and the last of the paths: ${between} of 3`)
  })
})
