import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readJournal } from '../../src/machine/journal/read.ts'
import { isCall, isIntent } from '../../src/machine/journal/record.ts'
import { verifyJournal } from '../../src/machine/journal/verify.ts'
import { openToolkit, type Toolkit } from '../../src/toolkit.ts'
import { memoryDirectory } from '../memory-directory.ts'
import type { Report } from './crash-rig.ts'
import { withFault, type JournalFault } from './journal-fault.ts'
import type { Moments } from './moments.ts'
import { snapshotOf } from '../../src/testing/temporary-workspace.ts'

/** One call that changes a workspace, and what must have been called before it. */
export interface ChangingCall {
  readonly tool: string
  readonly input: object
  readonly before?: readonly (readonly [tool: string, input: object])[]
  /** What the configuration of the user says. */
  readonly config?: object
}

const FILES = { 'a.txt': 'one\n', 'src/b.txt': 'two\n', 'src/c.txt': 'three\n' }

/** Makes the journal unwritable at each call of the file system that a changing call makes, and looks what has landed. */
export async function unwritablePoints(
  call: ChangingCall,
  fault: Omit<JournalFault, 'at'>,
  { stride, first = 0 }: Moments,
  plant: (kit: Toolkit) => void = () => {},
): Promise<Report> {
  const violations: string[] = []
  let count = 0
  for (let at = first; ; at += stride) {
    const place = makePlace(call.config)
    try {
      const { problems, isOver } = await onePoint(place, call, { ...fault, at }, plant)
      if (violations.length < 8) violations.push(...problems.map(problem => `at ${at}: ${problem}`))
      if (isOver) return { count, violations }
      count++
    } finally {
      rmSync(place.base, { recursive: true, force: true })
    }
  }
}

interface Place {
  readonly base: string
  readonly root: string
  open(): Promise<Toolkit>
}

function makePlace(config: object = {}): Place {
  const base = memoryDirectory('toolwright-journal-')
  const root = join(base, 'workspace')
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(base, 'home'),
    TOOLWRIGHT_STATE: join(base, 'state'),
    TOOLWRIGHT_CONFIG_HOME: join(base, 'config'),
  }
  for (const [path, text] of Object.entries({ ...FILES, '../config/config.json': JSON.stringify(config) })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const person = () => ({ answer: 'yes', by: 'the rig' }) as const
  return { base, root, open: () => openToolkit({ root, env, effects: 'off', resident: 'off', approve: person }) }
}

async function onePoint(
  place: Place,
  { tool, input, before = [] }: ChangingCall,
  fault: JournalFault,
  plant: (kit: Toolkit) => void,
): Promise<{ problems: readonly string[]; isOver: boolean }> {
  const kit = await place.open()
  plant(kit)
  for (const [earlier, given] of before) await kit.run(earlier, given)
  const old = JSON.stringify(snapshotOf(place.root))
  const { done, isOver } = await withFault(fault, () => kit.run(tool, input))
  const hasChanged = JSON.stringify(snapshotOf(place.root)) !== old
  const { id } = done.outcome.meta
  const problems: string[] = []
  const inJournal = [...readJournal(kit.state.journal)].filter(record => record['id'] === id)
  if (hasChanged && inJournal.length === 0) problems.push('it landed, and the journal does not know of it')
  if (done.outcome.ok && !inJournal.some(isCall)) problems.push('it was answered without a record')
  await kit.close()
  const again = await place.open()
  const { journal, head } = again.state
  const { ok, problems: broken, unfinished } = verifyJournal(journal, { headFile: head })
  await again.close()
  if (!ok) problems.push(`the journal is damaged: ${broken[0]?.what}`)
  if (unfinished.length > 0) problems.push('a call has no end at the next open')
  const ended = [...readJournal(journal)].filter(record => record['id'] === id).findLast(isCall)
  const intended = inJournal.findLast(isIntent)
  const told = ended && (ended.changed.length > 0 || ended.direct === true || intended?.unstaged === true)
  if (hasChanged && !told) problems.push('the log does not tell what changed')
  if (!hasChanged && ended && ended.changed.length > 0) problems.push('the log tells of a change that is not there')
  return { problems, isOver }
}
