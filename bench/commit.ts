import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openCommitStore } from '../src/machine/workspace/commit/commit-store.ts'
import { commit as land } from '../src/machine/workspace/commit/commit.ts'
import { openWorkspace } from '../src/machine/workspace/open-workspace.ts'
import { createReadMemory } from '../src/machine/workspace/read-memory.ts'
import { openRoot, type Root } from '../src/machine/workspace/root.ts'
import { createStaging } from '../src/machine/workspace/staging.ts'
import { linuxSys, type Sys } from '../src/machine/workspace/sys.ts'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { times, type Bench, type Goal, type Row } from './bench.ts'
import { demandSame } from './demand-same.ts'
import { interleave, median, quantile } from './sample.ts'

const ROUNDS = 100
const BYTES = 4096
/** Of a plain write, for a commit of one file: what is promised for an edit through the library. */
const MOST_FOR_ONE = 1.5

/** All or nothing, with the files before kept for undo, beside writes that keep nothing. */
export const commit: Bench = {
  about: 'commits of 1, 3 and 20 files beside a plain write and rename with the same syncs',
  async run() {
    const [rows, goals]: [Row[], Goal[]] = [[], []]
    for (const files of [1, 3, 20]) rows.push(await measure(files, goals))
    return {
      rows,
      notes: [
        `${BYTES} bytes a file, all in one directory; ${ROUNDS} commits each, in turn with the plain ones`,
        'what each commit and each plain write left in the files was read again and compared',
        'plain: each file written beside and renamed, with as many syncs as the commit makes',
      ],
      goals,
    }
  },
}

async function measure(files: number, goals: Goal[]): Promise<Row> {
  await using workspace = temporaryWorkspace()
  const names = Array.from({ length: files }, (_, at) => `file${at}.txt`)
  const plain = join(workspace.base, 'plain')
  mkdirSync(plain)
  for (const name of names)
    for (const place of [workspace.path, plain]) writeFileSync(join(place, name), 'before'.padEnd(BYTES))
  mkdirSync(join(workspace.base, 'undo'))
  const { sys, syncs } = counting()
  const root = openRoot(workspace.path, sys)
  const store = openCommitStore(root, join(workspace.base, 'undo'))
  let round = 0
  const ours = () => {
    const id = `bench${++round}`
    land(root, store, staged(root, names, id), { id })
  }
  const demand = (directory: string, text: string) => {
    for (const name of names)
      demandSame(`${directory}/${name}`, readFileSync(join(directory, name), 'utf8'), text.padEnd(BYTES))
  }
  // The first commit makes directories too, and syncs them.
  ours()
  const first = syncs()
  ours()
  const { file, directory } = { file: syncs().file - first.file, directory: syncs().directory - first.directory }
  const samples = await interleave(
    {
      ours,
      plain: () => plainly(plain, names, `bench${round}`, file, directory),
      compared: () => [workspace.path, plain].forEach(place => demand(place, `bench${round}`)),
    },
    { rounds: ROUNDS, warmUp: 5 },
  )
  store.close()
  root.close()
  const what = `${files} ${files === 1 ? 'file' : 'files'}`
  const ratio = median(samples.ours) / median(samples.plain)
  if (files === 1)
    goals.push({
      what: `a commit of ${what} to a plain write`,
      limit: `≤ ${times(MOST_FOR_ONE)}`,
      measured: times(ratio),
      met: ratio <= MOST_FOR_ONE,
    })
  return {
    what,
    cells: {
      'commit p50 µs': median(samples.ours),
      'p95 µs': quantile(samples.ours, 0.95),
      'plain p50 µs': median(samples.plain),
      ratio: times(ratio),
      'syncs of files': String(file),
      'of directories': String(directory),
    },
  }
}

/** The operations of a call that writes these files anew. */
function staged(root: Root, names: readonly string[], text: string) {
  const staging = createStaging()
  const grant = [{ action: 'write', resource: '**' } as const, { action: 'read', resource: '**' } as const]
  const ws = openWorkspace(root, { grant, staging, memory: createReadMemory() })
  for (const name of names) ws.put(name, Buffer.from(text.padEnd(BYTES)))
  return staging.toOperations()
}

/** The system calls with their syncs counted. */
function counting(): { sys: Sys; syncs: () => { file: number; directory: number } } {
  let [file, directory] = [0, 0]
  const sys: Sys = {
    ...linuxSys,
    sync(fd) {
      file++
      linuxSys.sync(fd)
    },
    syncDirectory(dir) {
      directory++
      linuxSys.syncDirectory(dir)
    },
  }
  return { sys, syncs: () => ({ file, directory }) }
}

function plainly(dir: string, names: readonly string[], text: string, fileSyncs: number, directorySyncs: number): void {
  let left = fileSyncs
  for (const [at, name] of names.entries()) {
    const fd = openSync(join(dir, `.${name}`), 'w')
    writeSync(fd, text.padEnd(BYTES))
    // What is more than one for each file falls to the last.
    for (let most = at === names.length - 1 ? left : 1; most > 0 && left > 0; most--, left--) fsyncSync(fd)
    closeSync(fd)
    renameSync(join(dir, `.${name}`), join(dir, name))
  }
  for (let done = 0; done < directorySyncs; done++) {
    const fd = openSync(dir, 'r')
    fsyncSync(fd)
    closeSync(fd)
  }
}
