import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDirectory, writePrivateFile } from '../../state/private-file.ts'
import { isRunning, thisProcess, type ProcessIdentity } from '../../state/process-identity.ts'
import { onDisk } from '../../workspace/name.ts'
import { show } from '../../workspace/path.ts'
import type { Root } from '../../workspace/root.ts'
import { applyChanges } from './apply-changes.ts'
import { openLayer, type Layer } from './layer.ts'
import type { LayerChange } from './layer-change.ts'
import { HELD, removeLayers } from './scratch.ts'
import { isYounger } from './stage-changes.ts'

/** Ignored paths of one command that are about to land: its layer holds what has not landed yet. */
interface PendingLanding {
  /** The commit that it lands with; absent if nothing else has to land first. */
  readonly commit?: string
  /** Directory of the command, and in it that of its layer. */
  readonly directory: string
  readonly layer: string
  /** Disk time before the command. */
  readonly begun: bigint
  readonly made: readonly LayerChange[]
}

/** Records a landing, so that the next opening of the workspace completes it after a crash. */
export interface NotedLanding {
  /** Name of a file on its way into its place. */
  readonly mark: string
  forget(): void
}

export function noteLanding(records: string, { begun, made, ...landing }: PendingLanding): NotedLanding {
  makePrivateDirectory(records)
  const mark = randomBytes(8).toString('hex')
  // The next sweep of the scratch directory leaves it alone.
  writeFileSync(join(landing.directory, HELD), '')
  const file = join(records, `${mark}.json`)
  const storedChanges = made.map(one => ({ ...one, ...(one.type === 'file' && { at: one.at.path }) }))
  writePrivateFile(
    file,
    JSON.stringify({ owner: thisProcess(), ...landing, begun: String(begun), made: storedChanges }),
  )
  return { mark, forget: () => rmSync(file, { force: true }) }
}

/** A landing that a dead process left, and how it ended. */
interface Completed {
  readonly id: string
  readonly outcome: 'completed' | 'removed' | 'damaged'
  readonly paths: readonly string[]
  readonly note?: string
}

/** Completes what dead processes left, or drops it if its commit never landed. Call it under the workspace's lock. */
export function completeLandings(root: Root, records: string, hasLanded: (commit: string) => boolean): Completed[] {
  return readdirSync(records).flatMap(name => {
    const [, mark] = /^([0-9a-f]{16})\.json$/.exec(name) ?? []
    const record = mark === undefined ? undefined : recordIn(join(records, name))
    if (mark === undefined || record === undefined || isRunning(record.owner)) return []
    const { commit, directory } = record
    const isDue = commit === undefined || hasLanded(commit)
    const completion: Completed = isDue
      ? complete(root, record, mark)
      : { id: commit, outcome: 'removed', paths: [], note: 'the commit of its ignored paths had not begun' }
    removeLayers(directory)
    rmSync(join(records, name), { force: true })
    return [completion]
  })
}

type StoredChange = Omit<LayerChange, 'at'> & { readonly at?: string }

interface Stored extends Omit<PendingLanding, 'begun' | 'made'> {
  readonly owner: ProcessIdentity
  readonly begun: string
  readonly made: readonly StoredChange[]
}

function complete(root: Root, record: Stored, mark: string): Completed {
  const id = record.commit ?? mark
  const paths = record.made.map(({ path }) => path)
  if (!existsSync(record.layer))
    return { id, outcome: 'damaged', paths, note: `what ${paths.length} ignored paths were to become is gone` }
  const layer = openLayer(root.sys, record.layer)
  try {
    const dueChanges = record.made.flatMap(one => changeOf(one, layer)).filter(one => !isDone(root, one))
    const begun = BigInt(record.begun)
    const { warnings } = applyChanges(root, dueChanges, { isOvertaken: stats => isYounger(stats, begun), mark })
    const note = [`${paths.length} ignored paths`, ...warnings].join('; ')
    return { id, outcome: 'completed', paths: paths.slice(0, SHOWN), note }
  } finally {
    layer.close()
  }
}

const SHOWN = 20

/** A file that is no longer in the layer has landed. */
function changeOf({ at, ...one }: StoredChange, layer: Layer): readonly LayerChange[] {
  if (at === undefined) return [one as LayerChange]
  const isThere = layerHas(layer, at)
  return isThere ? [{ ...one, at: { layer, path: at } } as LayerChange] : []
}

function layerHas(layer: Layer, path: string): boolean {
  try {
    layer.stats(path)
    return true
  } catch {
    return false
  }
}

function isDone(root: Root, one: LayerChange): boolean {
  if (one.type === 'file') return false
  try {
    const place = root.resolve(one.path, { link: true })
    try {
      if (place.rel !== one.path) return one.type === 'absent'
      if (one.type === 'absent') return place.stats === undefined
      if (one.type === 'directory') return place.stats?.isDirectory() === true
      if (place.stats?.isSymbolicLink() !== true) return false
      return show(root.sys.readlink(place.dir, onDisk(place.name ?? '')).toString()) === show(one.target)
    } finally {
      place.release()
    }
  } catch {
    // A file is in the place of its directory.
    return one.type === 'absent'
  }
}

function recordIn(file: string): Stored | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'))
    return typeof record.owner?.pid === 'number' && Array.isArray(record.made) ? record : undefined
  } catch {
    return undefined
  }
}
