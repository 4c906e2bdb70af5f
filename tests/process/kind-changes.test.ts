// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { repository, shell } from './git-world.ts'

const it = needs('bubblewrap')

const FILES = { 'd/a.txt': 'a\n', 'd/in/b.txt': 'b\n', 'd/in/deep/c.txt': 'c\n', f: 'file\n', 'e/only.txt': 'e\n' }

/** What is there besides: links, an empty directory, a file that git does not know, and some that it ignores. */
const MORE = 'ln -s d to-d; ln -s f to-f; ln -s nothing to-nothing; mkdir empty; echo u > d/untracked.txt'
const IGNORED =
  'echo i > d/ignored.log; mkdir -p d/in/dist d/dir.log; echo i > d/in/dist/out.js; echo i > d/dir.log/x; ln -s in d/link.log'

/** Commands that make another kind of thing of a path. */
const COMMANDS: readonly (readonly [name: string, command: string])[] = [
  ['file to directory', 'rm f; mkdir f; echo x > f/x'],
  ['file to empty directory', 'rm f; mkdir f'],
  ['file to link', 'rm f; ln -s d f'],
  ['file to nested directories', 'rm f; mkdir -p f/g/h; echo x > f/g/h/x; echo y > f/y'],
  ['directory to file', 'rm -r d; echo x > d'],
  ['directory of one file to file', 'rm -r e; echo x > e'],
  ['directory to link to a directory', 'rm -r d; ln -s e d'],
  ['directory to link to a file', 'rm -r d; ln -s f d'],
  ['directory to link to nothing', 'rm -r d; ln -s nothing d'],
  ['directory to link to itself', 'rm -r d; ln -s d d'],
  ['directory to link out of the workspace', 'rm -r d; ln -s /usr d'],
  ['directory to links in a circle', 'rm -r d e; ln -s e d; ln -s d e'],
  ['inner directory to link to itself', 'rm -r d/in; ln -s in d/in'],
  ['inner directory to link out of the workspace', 'rm -r d/in; ln -s ../.. d/in'],
  ['inner directory to file', 'rm -r d/in; echo x > d/in'],
  ['inner directory to link', 'rm -r d/in; ln -s ../e d/in'],
  ['empty directory to file', 'rmdir empty; echo x > empty'],
  ['empty directory to link', 'rmdir empty; ln -s f empty'],
  ['directory to another directory', 'rm -r d; mkdir d; echo x > d/x'],
  ['directory to directory with a file for an inner one', 'rm -r d; mkdir d; echo x > d/in'],
  ['directory moved into the file of its name', 'mv d/a.txt keep; rm -r d; mv keep d'],
  ['directory moved below itself', 'mv d tmp; mkdir d; mv tmp d/inner'],
  ['link to a directory to directory', 'rm to-d; mkdir to-d; echo x > to-d/a.txt'],
  ['link to a directory to file', 'rm to-d; echo x > to-d'],
  ['link to a file to file', 'rm to-f; echo x > to-f'],
  ['link to a file to directory', 'rm to-f; mkdir to-f; echo x > to-f/x'],
  ['link to nothing to directory', 'rm to-nothing; mkdir -p to-nothing/in; echo x > to-nothing/in/x'],
  ['link to nothing to file', 'rm to-nothing; echo x > to-nothing'],
  ['link to another link', 'ln -sfn e to-d'],
  ['file and directory exchanged', 'mv d t; mv f d; mv t f'],
  ['link and directory exchanged', 'rm to-d; mv d to-d; ln -s to-d d'],
  ['two directories to files, one inside the other', 'rm -r d e; mkdir d; echo x > d/in; echo y > e'],
]

/** The same of what git ignores, before or after. */
const OF_IGNORED: typeof COMMANDS = [
  ['file to directory of ignored files', 'rm f; mkdir f; echo x > f/x.log'],
  ['file to directory with an ignored directory', 'rm f; mkdir -p f/dist/in; echo x > f/dist/in/x; echo y > f/y'],
  ['ignored file to directory', 'rm d/ignored.log; mkdir d/ignored.log; echo x > d/ignored.log/x'],
  ['ignored file to link', 'rm d/ignored.log; ln -s a.txt d/ignored.log'],
  ['ignored directory to file', 'rm -r d/in/dist; echo x > d/in/dist'],
  ['ignored directory to link', 'rm -r d/in/dist; ln -s ../../e d/in/dist'],
  ['ignored directory to ignored file', 'rm -r d/dir.log; echo x > d/dir.log'],
  ['ignored directory to ignored link', 'rm -r d/dir.log; ln -s in d/dir.log'],
  ['ignored link to ignored directory', 'rm d/link.log; mkdir -p d/link.log/in; echo x > d/link.log/in/x'],
  ['directory of ignored files to file', 'rm -r d/in/dist d/in/deep d/in/b.txt; rmdir d/in; echo x > d/in'],
]

const deleted = (path: string, line: string): string => `--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${line}\n`
const created = (path: string, line: string): string => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`

const PATCHES: readonly (readonly [name: string, diff: string])[] = [
  ['file to directory', deleted('f', 'file') + created('f/x', 'x')],
  ['file to nested directories', deleted('f', 'file') + created('f/g/h/x', 'x') + created('f/y', 'y')],
]

/** What a call failed with; undefined if it did not. */
const failure = (outcome: Outcome): string | undefined =>
  outcome.ok ? undefined : `${outcome.error.code}: ${outcome.error.message}`

async function opened(workspace: TemporaryWorkspace, transaction?: string) {
  const kit = await workspace.open({ permissions: ['exec', 'fs:write'], ...(transaction && { transaction }) })
  return async (tool: string, input: object): Promise<Outcome> => (await kit.run(tool, input)).outcome
}

function world(more: string): TemporaryWorkspace {
  const workspace = repository(FILES)
  shell(workspace, more)
  return workspace
}

/** Lands a call and undoes it, undoes the undo, and undoes that. */
async function thereAndBack(workspace: TemporaryWorkspace, land: () => Promise<Outcome>): Promise<void> {
  const before = workspace.snapshot()
  const landed = await land()
  expect(failure(landed)).toBeUndefined()
  const after = workspace.snapshot()
  expect(after).not.toEqual(before)
  const run = await opened(workspace)
  let { undo } = landed.meta
  for (const expected of [before, after, before]) {
    const outcome = await run('undo', { id: undo })
    expect(failure(outcome)).toBeUndefined()
    expect(workspace.snapshot()).toEqual(expected)
    ;({ undo } = outcome.meta)
  }
}

const rows = [
  ...COMMANDS.map(([name, command]) => ({ name, tool: 'run', input: { command } })),
  ...PATCHES.map(([name, diff]) => ({ name: `${name} by patch`, tool: 'patch', input: { diff } })),
]

describe('another kind of thing at a path', () => {
  it.for(rows)('lands, and is undone, again and again: $name', async ({ tool, input }) => {
    await using workspace = world(MORE)
    const run = await opened(workspace)
    await thereAndBack(workspace, () => run(tool, input))
  })

  it.for(rows.filter((_row, at) => at % 2 === 0))(
    'lands with a transaction, and is undone: $name',
    async ({ tool, input }) => {
      await using workspace = world(MORE)
      const run = await opened(workspace, 't')
      await thereAndBack(workspace, async () => {
        expect(failure(await run(tool, input))).toBeUndefined()
        return run('stage', { action: 'commit' })
      })
    },
  )

  it.for([...COMMANDS.filter(([, command]) => /rm -r d|mv d/.test(command)), ...OF_IGNORED])(
    'lands where git ignores some of what was below: %s',
    async ([, command]) => {
      await using plain = world(`${MORE}; ${IGNORED}`)
      shell(plain, command)
      const expected = plain.snapshot()
      await using workspace = world(`${MORE}; ${IGNORED}`)
      const run = await opened(workspace)
      expect(failure(await run('run', { command }))).toBeUndefined()
      expect(visible(workspace.snapshot())).toEqual(visible(expected))
    },
  )

  it('brings back what git ignores with the directory that was replaced', async () => {
    await using workspace = world(`${MORE}; ${IGNORED}`)
    const run = await opened(workspace)
    await thereAndBack(workspace, () => run('run', { command: 'rm -r d; echo x > d' }))
  })
})

/** The repository itself differs by times. */
const visible = (snapshot: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(snapshot).filter(([path]) => !path.startsWith('.git/')))
