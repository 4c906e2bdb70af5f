// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it as always } from 'vitest'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { runIn } from '../cli/rig.ts'
import { needs } from '../needs.ts'
import { git, repository, shell } from '../process/git-world.ts'

const it = needs('bubblewrap')

/** A repository with a bare one in it, to which a push moves the branch `main`. */
function withRemote(): TemporaryWorkspace {
  const workspace = repository({
    Makefile: 'push:\n\t@git push -q remote.git main\n',
    'package.json': '{"scripts":{"ship":"git push -q remote.git main"}}\n',
    'push.sh': 'git push -q remote.git main\n',
  })
  shell(workspace, 'git init -q --bare -b other remote.git; echo /remote.git >> .git/info/exclude')
  return workspace
}

const hasMoved = (workspace: TemporaryWorkspace): boolean => git(workspace, '-C', 'remote.git', 'for-each-ref') !== ''

/** Each denies every `git push …`. */
const SPELLINGS = [
  'git push',
  'git push*',
  'git push *',
  'git push:*',
  'Bash(git push)',
  'Bash(git push*)',
  'Bash(git push:*)',
  'Bash(git push *)',
  'Shell(git push)',
  'run_shell_command(git push)',
  'exec:git push*',
  'exec:git push',
]

/** Each pushes; a person who allows all commands sees the branch move. */
const LINES = [
  'git push -q remote.git main',
  'git -C . push -q remote.git main',
  'git -c a.b=c push -q remote.git main',
  'git push -q remote.git +main',
  'env git push -q remote.git main',
  'sh -c "git push -q remote.git main"',
  'echo main | xargs git push -q remote.git',
  'make -s push',
  'npm run -s ship',
  'bash push.sh',
]

const userFile = (workspace: TemporaryWorkspace, config: object): void => {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(config))
}
const projectFile = (workspace: TemporaryWorkspace, config: object): void =>
  workspace.write('toolwright.json', JSON.stringify(config))
const asPermission = (text: string): string => (/^(exec:|\w+\(|[\w./-]+ )/.test(text) ? text : `exec:${text}`)
const listed = (verdict: string, text: string): object => ({ policy: { commands: { [verdict]: [text] } } })
const ruled = (verdict: string, text: string): object => ({
  policy: { rules: [{ action: 'exec', command: text, verdict }] },
})

interface Way {
  /** Writes the rule where this way has it; returns options of the command line or of the library. */
  readonly add: (
    workspace: TemporaryWorkspace,
    text: string,
  ) => { readonly options?: readonly string[]; readonly library?: object }
  readonly isLibrary?: true
}

/** Every place that a rule against a command comes from. */
const WAYS: Readonly<Record<string, Way>> = {
  'commands.deny of the user': { add: (workspace, text) => (userFile(workspace, listed('deny', text)), {}) },
  'commands.ask of the user': { add: (workspace, text) => (userFile(workspace, listed('ask', text)), {}) },
  'rules of the user': { add: (workspace, text) => (userFile(workspace, ruled('deny', text)), {}) },
  'commands.deny of the project': { add: (workspace, text) => (projectFile(workspace, listed('deny', text)), {}) },
  'rules of the project': { add: (workspace, text) => (projectFile(workspace, ruled('ask', text)), {}) },
  '--deny': { add: (_, text) => ({ options: ['--deny', asPermission(text)] }) },
  'denials of the library': { add: (_, text) => ({ library: { denials: [asPermission(text)] } }), isLibrary: true },
  'lists of a session': { add: (_, text) => ({ library: { commands: [{ deny: [text] }] } }), isLibrary: true },
}

/** Runs a line where everything is allowed but for the rule; throws what stops the start. */
async function runLine(workspace: TemporaryWorkspace, command: string, way?: Way, text = ''): Promise<void> {
  const { options = [], library = {} } = way?.add(workspace, text) ?? {}
  if (way?.isLibrary) {
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'], ...library })
    await kit.run('run', { command })
    return
  }
  const input = JSON.stringify({ command })
  const { code, err } = await runIn(
    workspace,
    ['call', 'run', input, '--allow', 'exec', '--allow', 'fs:write', ...options],
    {},
  )
  if (code === 2) throw new Error(err)
}

/** Every spelling on every way in, each with the next line, so that each spelling meets most lines. */
const ROWS = SPELLINGS.flatMap((spelling, first) =>
  Object.keys(WAYS).map((way, second) => [spelling, way, LINES[(first + second) % LINES.length] ?? ''] as const),
)

describe('a rule against a command holds in every spelling and on every way in', () => {
  it.each(LINES)('without a rule the branch moves: %s', async line => {
    await using workspace = withRemote()
    await runLine(workspace, line)
    expect(hasMoved(workspace)).toBe(true)
  })

  it.each(ROWS)('%s in %s: %s', async (spelling, way, line) => {
    await using workspace = withRemote()
    await runLine(workspace, line, WAYS[way], spelling)
    expect(hasMoved(workspace)).toBe(false)
  })
})

/** Each is no rule, and what the refusal suggests instead. */
const REFUSED: readonly (readonly [text: string, spelling: string])[] = [
  ['git * push', 'git push'],
  ['git pu?h', 'git'],
  ['git {push,pull}', 'git'],
  ['git pus[h]', 'git'],
  ['git push.*', 'git push'],
  ['^git push', 'git push'],
  ['git push; git pull', 'git push'],
  ['git push, git pull', 'git push'],
  ['git push && true', 'git push'],
  ['A=1 git push', 'git push'],
  ['"git push"', 'git push'],
  ['git:push', 'git push'],
  ['git push --force*', 'git push --force'],
  ['gi*', 'gi'],
  ['git\u00A0push', 'git push'],
  ['Bash(git p*sh)', 'git'],
  ['prefix_rule(pattern=["git", "push"])', 'git push'],
]

describe('a rule that would never match stops the start', () => {
  always.each(REFUSED.flatMap(([text, spelling]) => Object.keys(WAYS).map(way => [text, way, spelling] as const)))(
    '%s in %s',
    async (text, way, spelling) => {
      await using workspace = withRemote()
      const failure = await runLine(workspace, LINES[0] ?? '', WAYS[way], text).then(
        () => undefined,
        (error: unknown) => `${String(error)} ${String(Object(error).hint)}`,
      )
      expect(failure).toMatch(/refused/i)
      expect(failure).toContain(`'${spelling}'`)
      expect(hasMoved(workspace)).toBe(false)
    },
  )
})

describe('a permission in any of these spellings covers what `exec:git push` covers', () => {
  /** A line, and whether the permission covers it. */
  const COVERED: readonly (readonly [line: string, isCovered: boolean])[] = [
    ['git push -q remote.git main', true],
    ['git -C . push -q remote.git main', true],
    ['git -c a.b=c push -q remote.git main', false],
    ['env git push -q remote.git main', false],
    ['sh -c "git push -q remote.git main"', false],
    ['echo main | xargs git push -q remote.git', false],
    ['make -s push', false],
    ['set -e; git push -q remote.git main', true],
    ['git push -q --receive-pack="sh -c x" remote.git main', false],
    ['git pushx; git push -q remote.git main', false],
    ['git send-pack remote.git main', false],
  ]
  const rows = SPELLINGS.flatMap((spelling, first) =>
    [0, 4, 8].map(at => [spelling, ...(COVERED[(first + at) % COVERED.length] ?? ['', false])] as const),
  )
  it.each(rows)('%s: %s', async (spelling, line, isCovered) => {
    const arrived = async (permission: string): Promise<boolean> => {
      await using workspace = withRemote()
      const kit = await workspace.open({ permissions: ['fs:read', 'fs:write', permission] })
      await kit.run('run', { command: line })
      return hasMoved(workspace)
    }
    expect(await arrived(asPermission(spelling))).toBe(isCovered)
  })
})

describe('a remembered answer in any of these spellings', () => {
  const answered = async (command: string, line: string): Promise<boolean> => {
    await using workspace = withRemote()
    const kit = await workspace.open({ permissions: ['fs:write'] })
    kit.workspace.approvals.workspace.add({
      tool: 'toolwright/run',
      grants: [{ action: 'exec', command }],
      scope: 'workspace',
      workspace: kit.state.key,
      by: 'ada',
      at: new Date().toISOString(),
      enabled: true,
      made: 'any',
    })
    await kit.run('run', { command: line })
    return hasMoved(workspace)
  }

  it.each(SPELLINGS)('approves what the first words approve, and nothing behind another program: %s', async command => {
    expect(await answered(command, 'git push remote.git main')).toBe(true)
    expect(await answered(command, 'env git push remote.git main')).toBe(false)
  })

  it.each(['git * push', 'git {push,pull}', 'git pus?', 'gi*', 'prefix_rule(pattern=["git", "push"])', 'Bash'])(
    'approves nothing if it is not understood: %s',
    async command => {
      expect(await answered(command, 'git push remote.git main')).toBe(false)
    },
  )
})

describe('an unknown key or verdict stops the start', () => {
  /** A configuration, and what the refusal names. */
  const CONFIGS: readonly (readonly [policy: object, named: string])[] = [
    [{ rules: [{ action: 'exec', command: 'git push', verdict: 'forbidden' }] }, "'forbidden' is 'deny' here"],
    [{ rules: [{ action: 'exec', command: 'git push', verdict: 'block' }] }, "'block' is 'deny' here"],
    [{ rules: [{ action: 'exec', command: 'git push', verdict: 'prompt' }] }, "'prompt' is 'ask' here"],
    [{ rules: [{ action: 'exec', command: 'git push', verdict: 'DENY' }] }, "'DENY' is 'deny' here"],
    [{ rules: [{ action: 'exec', command: 'git push', verdict: 'zap' }] }, 'expected allow, ask or deny'],
    [{ rules: [{ action: 'exec', command: 'git push', effect: 'deny' }] }, 'verdict'],
    [{ rules: [{ action: 'execute', command: 'git push', verdict: 'deny' }] }, 'action'],
    [{ rules: [{ action: 'exec', pattern: 'git push', verdict: 'deny' }] }, "unknown key 'pattern'"],
    [{ rules: [{ action: 'exec', command: ['git', 'push'], verdict: 'deny' }] }, 'command'],
    [{ rules: [{ action: 'read', command: 'git push', verdict: 'deny' }] }, 'does not fit'],
    [{ rules: [{ action: 'exec', command: 'git push', path: 'x', verdict: 'deny' }] }, 'more than one of'],
    [{ commands: { forbid: ['git push'] } }, "unknown key 'forbid'"],
    [{ commands: { deny: 'git push' } }, 'deny'],
    [{ deny: ['git push'] }, "unknown key 'deny'"],
  ]
  always.each(
    CONFIGS.flatMap(([policy, named]) => [userFile, projectFile].map(file => [named, policy, file] as const)),
  )('%s: %j', async (named, policy, file) => {
    await using workspace = withRemote()
    file(workspace, { policy })
    await expect(runLine(workspace, LINES[0] ?? '')).rejects.toThrow(named)
    expect(hasMoved(workspace)).toBe(false)
  })
})
