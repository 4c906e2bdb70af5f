import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { readJournal } from '../journal/read.ts'
import { verifyJournal } from '../journal/verify.ts'
import { workspaceState, type WorkspaceState } from './directory.ts'

let workspace: TemporaryWorkspace
let state: WorkspaceState
beforeEach(async () => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
  const kit = await workspace.open()
  await kit.run('read', { path: 'a.txt' })
  await kit.close()
  state = workspaceState(workspace.path, workspace.env)
})
afterEach(() => workspace.remove())

/** Puts something else where a file or directory of ours was. */
const OTHERS: Readonly<Record<string, (path: string) => void>> = {
  'a named pipe': path => void execFileSync('mkfifo', [path]),
  'a symbolic link': path => symlinkSync('/dev/full', path),
  'a directory': path => void mkdirSync(path),
}

function replace(path: string, put: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  put(path)
}

const thrown = async (act: () => unknown): Promise<string> => {
  try {
    await act()
    return 'nothing'
  } catch (error) {
    return error instanceof Error && 'hint' in error ? `${error.message} ${String(error.hint)}` : String(error)
  }
}

describe('what has the name of a file of ours and is none', () => {
  it.each(Object.entries(OTHERS))(
    'in the place of the journal is reported without waiting for it: %s',
    async (kind, put) => {
      const file = join(state.journal, 'journal.jsonl')
      replace(file, put)
      const said = `${file} is ${kind}, where a regular file has to be. Look where it comes from, and move it away: mv `
      expect(await thrown(() => [...readJournal(state.journal)])).toContain(said)
      expect(await thrown(() => [...readJournal(state.journal, { last: 1 })])).toContain(said)
      expect(await thrown(() => verifyJournal(state.journal, { headFile: state.head }))).toContain(said)
      const kit = await workspace.open()
      const { outcome } = await kit.run('write', { path: 'b.txt', content: 'two\n', expect: 'absent' })
      expect(outcome.ok).toBe(false)
      expect(Object.keys(workspace.snapshot())).toEqual(['a.txt'])
    },
  )

  it.each<readonly [string, () => string]>([
    ['the head', () => state.head],
    ['the answers', () => state.approvals],
    ['the answers of the user', () => state.userApprovals],
    ['the ledger', () => state.ledger],
    ['the key of commits', () => join(state.path, 'commit.key')],
    ['the note of the workspace', () => join(state.path, 'workspace.json')],
    ['the lock of the journal', () => join(state.path, 'journal.lock')],
  ])('is told at the next open: a named pipe in the place of %s', async (_, place) => {
    const path = place()
    replace(path, file => void execFileSync('mkfifo', [file]))
    expect(await thrown(() => workspace.open())).toContain(`${path} is a named pipe, where a regular file has to be.`)
  })

  it.each<readonly [string, () => string]>([
    ['the journal', () => state.journal],
    ['the payloads', () => state.payloads],
    ['the transactions', () => state.transactions],
    ['the heads', () => dirname(state.head)],
  ])('is told at the next open: a file in the place of %s', async (_, place) => {
    const path = place()
    replace(path, file => writeFileSync(file, ''))
    expect(await thrown(() => workspace.open())).toContain(`${path} is a file, where a directory has to be.`)
  })
})

it.skipIf(process.getuid === undefined)('calls a file a file that others may write to, with what helps', async () => {
  writeFileSync(state.approvals, '{}')
  chmodSync(state.approvals, 0o666)
  const said = await thrown(() => workspace.open())
  expect(said).toContain(`The state file ${state.approvals} can be changed by other users`)
  expect(said).toContain(`chmod go-w ${state.approvals}`)
})
