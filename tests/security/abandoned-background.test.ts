// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

const MARKER = 'touch ran; false'
const bare = (directory: string): string =>
  `mkdir -p ${directory}/objects ${directory}/refs; printf 'ref: refs/heads/main\n' > ${directory}/HEAD; ` +
  `printf '[core]\nbare = false\nworktree = .\nfsmonitor = ${MARKER}\n' > ${directory}/config`
const initialised = (directory: string): string =>
  `git init -q ${directory}; git -C ${directory} config core.fsmonitor '${MARKER}'`

/** Has a process start the command, and kills it when the command says that it is done. */
async function abandon(workspace: TemporaryWorkspace, command: string): Promise<void> {
  const line = `${command}; touch made; sleep 60`
  const child = spawn(process.execPath, [join(import.meta.dirname, 'background-child.ts'), workspace.path, line], {
    env: { ...workspace.env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  expect(String(said)).toBe('started\n')
  const until = Date.now() + 20_000
  while (!existsSync(join(workspace.path, 'made')) && Date.now() < until) await sleep(20)
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Everywhere in the workspace, as its owner would. */
function workIn({ path, base }: TemporaryWorkspace): readonly string[] {
  const below = readdirSync(path, { recursive: true, withFileTypes: true, encoding: 'utf8' })
  const directories = below
    .filter(entry => entry.isDirectory() && !`${entry.parentPath}/`.includes('/.git/') && entry.name !== '.git')
    .map(entry => join(entry.parentPath, entry.name))
  for (const cwd of directories) spawnSync('git', ['status'], { cwd, env: { PATH: process.env['PATH'], HOME: base } })
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => /(^|\/)ran$/.test(name))
}

const recorded = ({ base }: TemporaryWorkspace): string =>
  readdirSync(join(base, 'state'), { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile() && entry.parentPath.endsWith('/journal'))
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('')

describe('a background command whose process dies', () => {
  it('is swept up after at the next open: repositories in every shape, and pipes', async () => {
    await using workspace = repository({ 'there/x': 'x' })
    mkdirSync(join(workspace.path, 'own'))
    spawnSync('git', ['init', '-q', join(workspace.path, 'own')])
    await abandon(
      workspace,
      [
        initialised('sub'),
        initialised('deep/er/one'),
        initialised('node_modules/x'),
        bare('bare'),
        bare('there/bare'),
        `mkdir linked; ${bare('store')}; echo 'gitdir: ../store' > linked/.git`,
        `mkdir worktree; printf 'ref: refs/heads/main\n' > worktree/HEAD; echo ../store > worktree/commondir`,
        'mkdir alias; ln -s ../sub/.git alias/.git',
        'mkfifo pipe',
        'echo plain > plain.txt',
      ].join('; '),
    )
    const kit = await workspace.open({ permissions: ['fs:read'] })
    expect(workIn(workspace)).toEqual([])
    expect(existsSync(join(workspace.path, 'pipe'))).toBe(false)
    expect(existsSync(join(workspace.path, 'own/.git'))).toBe(true)
    expect(workspace.read('plain.txt')).toBe('plain\n')
    expect(readdirSync(kit.state.background)).toEqual([])
    expect(recorded(workspace)).toContain("A background command left a repository at 'sub/.git'")
  })

  it('leaves the trap that the sweep is for', async () => {
    await using workspace = repository()
    await abandon(workspace, initialised('sub'))
    expect(workIn(workspace)).toEqual(['sub/ran'])
  })

  it('is not taken for dead while its process lives, nor noted once it has ended', async () => {
    await using workspace = repository()
    const first = await workspace.open({ permissions: ['exec', 'fs:write:**'] })
    const { outcome } = await first.run('run', { command: 'git init -q sub; sleep 60', background: true })
    const until = Date.now() + 10_000
    while (!existsSync(join(workspace.path, 'sub/.git/HEAD')) && Date.now() < until) await sleep(20)
    const second = await workspace.open({ permissions: ['fs:read'] })
    expect(existsSync(join(workspace.path, 'sub/.git'))).toBe(true)
    expect(readdirSync(second.state.background)).toHaveLength(1)
    const { handle } = Object(outcome.ok && outcome.data)
    const { outcome: stopped } = await first.run('run', { handle, action: 'stop' })
    expect(stopped.meta.warnings?.join()).toContain("'sub/.git'")
    expect(readdirSync(second.state.background)).toEqual([])
  })
})
