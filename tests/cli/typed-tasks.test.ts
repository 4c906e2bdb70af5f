// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it as anywhere } from 'vitest'
import { needs } from '../needs.ts'
import { storedIn } from './stored.ts'
import { typedWorld, type TypedWorld } from './typed-world.ts'

const it = needs('bubblewrap', 'git')

/** What a person types, in the order in which they work; `directory` is where they are. */
const TASKS: readonly { readonly name: string; readonly directory?: string; readonly lines: readonly string[] }[] = [
  { name: 'look-around', lines: ['toolwright list', 'toolwright list src'] },
  { name: 'read-lines', directory: 'src', lines: ['toolwright read cart.ts --from 4 --to 8'] },
  { name: 'find-files', directory: 'src', lines: ["toolwright find '*.ts'"] },
  { name: 'search', lines: ['toolwright grep round', 'toolwright grep -c round src', 'toolwright grep absent'] },
  {
    name: 'outline',
    lines: ['toolwright symbols src/cart.ts', 'toolwright symbols add', 'toolwright symbols absent.ts'],
  },
  { name: 'who-uses-it', lines: ['toolwright refs round --wait 45'] },
  { name: 'who-calls-it', lines: ['toolwright callers round --depth 1 --wait 45'] },
  { name: 'around-a-line', lines: ['toolwright context src/cart.ts:12'] },
  { name: 'write-refused', lines: ["echo 'one' | toolwright write notes.md"] },
  {
    name: 'write',
    lines: [
      "echo 'zero' | toolwright write notes.md - --allow fs:write",
      "echo 'one' | toolwright write notes.md --allow fs:write",
      'toolwright read notes.md',
    ],
  },
  {
    name: 'edit',
    lines: ["toolwright edit README.md --old 'TODO: write more' --new 'Done.' --allow fs:write"],
  },
  {
    name: 'patch',
    lines: [
      `printf '%s\\n' '--- a/notes.md' '+++ b/notes.md' '@@ -1 +1,2 @@' ' one' '+two' | toolwright patch - --allow fs:write`,
    ],
  },
  { name: 'rename-dry-run', lines: ['toolwright rename round rounded --dry-run --allow fs:write --wait 45'] },
  {
    name: 'rename',
    lines: ['toolwright rename round rounded --effects off --allow fs:write --wait 45', 'git diff --stat'],
  },
  { name: 'undo', lines: ['toolwright undo', 'toolwright undo --list', 'git diff --stat'] },
  {
    name: 'graph',
    lines: [
      `toolwright graph 'MATCH (f:Function) RETURN f.name, f.path ORDER BY f.name LIMIT 3'`,
      'toolwright graph absent',
    ],
  },
  {
    name: 'check',
    lines: [`echo '[{"name":"cart"}]' | toolwright check domain_map`, 'toolwright check absent --text 1'],
  },
  {
    name: 'plan',
    lines: [
      `toolwright plan --items '[{"content":"Look","activeForm":"Looking","status":"completed"},{"content":"Mend","activeForm":"Mending","status":"pending"}]'`,
      'toolwright plan',
    ],
  },
  {
    name: 'fetch-refused',
    lines: ['toolwright fetch http://127.0.0.1:9/', 'toolwright fetch http://127.0.0.1:9/ --allow net'],
  },
  { name: 'run', lines: ['toolwright run --allow exec -- npm test --silent'] },
  { name: 'run-fails', lines: ["toolwright run --allow exec 'ls absent'"] },
  { name: 'run-refused', lines: ["toolwright run 'touch x'"] },
  {
    name: 'move-and-delete',
    lines: [
      'toolwright move notes.md old.md --allow fs:write',
      'toolwright delete old.md --allow fs:write',
      'toolwright delete old.md --allow fs:write',
    ],
  },
  {
    name: 'stage',
    lines: [
      'toolwright stage begin',
      'toolwright edit README.md --old Shop --new Store --transaction ID --allow fs:write',
      'toolwright stage commit --transaction ID --allow fs:write',
    ],
  },
  { name: 'history', lines: ['toolwright log --failed', 'toolwright log --path README.md --tool edit'] },
  { name: 'near-misses', lines: ['toolwright raed README.md', 'toolwright readFile README.md', 'toolwright read'] },
  { name: 'wrong-flags', lines: ['toolwright read README.md --form 2', 'toolwright read README.md --from two'] },
  { name: 'help', lines: ['toolwright help move', 'toolwright help log'] },
  { name: 'completion', lines: ['toolwright completion bash | bash -n', 'toolwright completion tcsh'] },
]

interface Printed {
  readonly text: string
  readonly transaction: string | undefined
}

/** Standard output and standard error as they come, as a terminal would show them, and the exit status. */
async function typed({ workspace, env }: TypedWorld, directory: string, line: string): Promise<Printed> {
  const shell = spawn('bash', ['-c', `{ ${line}; } 2>&1`], { cwd: join(workspace.path, directory), env })
  shell.stdin.end()
  let printed = ''
  shell.stdout.on('data', chunk => (printed += chunk))
  const code = await new Promise(resolve => shell.on('close', resolve))
  const transaction = /\b(0[a-z0-9]{17})\b/.exec(printed)?.[1]
  return { text: `$ ${line}\n${printed}[exit ${code}]\n`, transaction }
}

/** Without what differs from run to run. */
const settled = (text: string, { workspace }: TypedWorld): string =>
  text
    .replaceAll(workspace.base, '/home/ada')
    .replaceAll(/Time: [\d.]+ms/g, 'Time: 1ms')
    .replaceAll(/\b0[a-z0-9]{17}\b/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '2026-01-01 00:00:00')
    .replaceAll(/plan-[0-9a-f]{32}/g, 'plan-ID')

const stored = storedIn('tasks')

describe('a person at work', () => {
  anywhere('has a stored file for each task, and no other', () => {
    expect(stored.names()).toEqual(TASKS.map(({ name }) => name).toSorted())
  })

  it('types these lines and sees this', { timeout: 240_000 }, async () => {
    await using world = typedWorld()
    let transaction = ''
    for (const { name, directory = '.', lines } of TASKS) {
      let shown = ''
      for (const line of lines) {
        const printed = await typed(world, directory, line.replaceAll('ID', transaction))
        if (line.endsWith('stage begin')) transaction = printed.transaction ?? ''
        shown += settled(printed.text, world)
      }
      await expect(shown).toMatchFileSnapshot(stored.file(name))
    }
  })
})
