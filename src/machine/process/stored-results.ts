import { hash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { makePrivateDirectory, writePrivateFile } from '../state/private-file.ts'
import type { CommandParts, CommandPlace } from './command-place.ts'
import { commandResult } from './overlay/command-result.ts'
import { openLayer } from './overlay/layer.ts'
import type { LayerChange } from './overlay/layer-change.ts'
import type { Overlay } from './overlay/open-overlay.ts'
import { removeLayers } from './overlay/scratch.ts'
import type { Done } from './run.ts'
import type { Ran } from './types.ts'

const KEPT_MS = 24 * 3_600_000
const MOST_RESULTS = 16
const MOST_BYTES = 256 * 1024 ** 2
const RECORD = 'result.json'

/** A finished command, stored until its result lands. */
interface StoredRun {
  readonly line: string
  readonly ran: Ran
  readonly warnings: readonly string[]
  readonly layer?: { readonly begun: string; readonly name: string; readonly made: readonly Omit<LayerChange, 'at'>[] }
}

/** Stores the results of a call's commands under its plan, unless they are too large. Removes old results. */
export function storeResults(scratch: string, root: string, plan: string, results: readonly Done[]): boolean {
  const bytes = results.reduce((sum, { overlay }) => sum + (overlay ? bytesIn(overlay.made()) : 0), 0)
  const isElsewhere = results.some(({ direct, overlay }) => direct || overlay?.changesLinked())
  if (bytes > MOST_BYTES || isElsewhere) return false
  const place = placeOf(scratch, root, plan)
  const shelf = directoryBeside(scratch)
  makePrivateDirectory(shelf)
  if (!isOurs(shelf)) return false
  removeLayers(place)
  makeRoom(shelf)
  mkdirSync(place, { mode: 0o700 })
  const runs = results.map(({ line, ran, warnings, overlay }, at): StoredRun => {
    const storedLayer = overlay?.keep(join(place, String(at)))
    return {
      line,
      ran,
      warnings,
      ...(storedLayer && {
        layer: { begun: String(storedLayer.begun), name: storedLayer.layer, made: storedLayer.made.map(withoutPlace) },
      }),
    }
  })
  // Last: without it the rest is never used.
  writePrivateFile(join(place, RECORD), JSON.stringify({ root, plan, runs }))
  return true
}

/** Returns the stored result of one command of a planned call. Throws `conflict` if it is not stored. Runs nothing. */
export function storedResult(
  parts: Pick<CommandParts, 'env' | 'landings'>,
  place: CommandPlace,
  scratch: string,
  plan: string,
  { line, at }: { readonly line: string; readonly at: number },
): Done {
  const directory = placeOf(scratch, place.root.path, plan)
  const run = isOurs(directoryBeside(scratch)) ? recordIn(directory, place.root.path, plan)?.[at] : undefined
  if (run?.line !== line) throw notStored(plan)
  const { ran, warnings, layer } = run
  const common = { line, ran, warnings, direct: false }
  if (!layer) return { ...common, overlay: undefined }
  const inner = join(directory, String(at))
  const openedLayer = openLayer(place.root.sys, join(inner, layer.name))
  const changes = layer.made.map((one): LayerChange => withPlace(one, openedLayer))
  const begun = BigInt(layer.begun)
  const result = commandResult({
    ...place,
    env: parts.env,
    mustStage: place.isJudged,
    directory: inner,
    layer: join(inner, layer.name),
    landings: parts.landings,
    begun,
  })
  const overlay: Overlay = {
    ...result,
    begun,
    tree: { kind: 'read-only' },
    readOnly: [],
    hidden: [],
    made: () => changes,
    changesLinked: () => false,
    collect: () => result.collect(changes),
    keep() {
      throw new Error('The result is already stored')
    },
    discard() {
      result.abandon()
      openedLayer.close()
    },
  }
  overlay.collect()
  return { ...common, overlay }
}

/** Removes the stored results of a landed plan. */
export const forgetResult = (scratch: string, root: string, plan: string): void =>
  removeLayers(placeOf(scratch, root, plan))

/** On the same disk as the layers, so that they are moved, not copied. */
const directoryBeside = (scratch: string): string => `${scratch}-kept`

/** Workspaces may share a scratch directory. */
const placeOf = (scratch: string, root: string, plan: string): string =>
  join(directoryBeside(scratch), hash('sha256', `${root}\0${plan}`).slice(0, 32))

/** Content that another user could have placed never lands. */
function isOurs(shelf: string): boolean {
  const stats = lstatSync(shelf, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0
}

function recordIn(directory: string, root: string, plan: string): readonly StoredRun[] | undefined {
  const stats = lstatSync(join(directory, RECORD), { throwIfNoEntry: false })
  if (!stats?.isFile() || Date.now() - stats.mtimeMs > KEPT_MS) return undefined
  const record = JSON.parse(readFileSync(join(directory, RECORD), 'utf8'))
  return record.root === root && record.plan === plan ? record.runs : undefined
}

function makeRoom(shelf: string): void {
  const entries = readdirSync(shelf)
    .map(name => ({
      place: join(shelf, name),
      at: lstatSync(join(shelf, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .toSorted((one, other) => other.at - one.at)
  for (const [index, { place, at }] of entries.entries())
    if (index >= MOST_RESULTS - 1 || Date.now() - at > KEPT_MS) removeLayers(place)
}

const bytesIn = (made: readonly LayerChange[]): number =>
  made.reduce((sum, one) => sum + (one.type === 'file' ? one.size : 0), 0)

function withoutPlace(one: LayerChange): Omit<LayerChange, 'at'> {
  if (one.type !== 'file') return one
  const { at: _at, ...rest } = one
  return rest
}

const withPlace = (one: Omit<LayerChange, 'at'>, layer: ReturnType<typeof openLayer>): LayerChange =>
  (one.type === 'file' ? { ...one, at: { layer, path: one.path } } : one) as LayerChange

const notStored = (plan: string): ToolError =>
  new ToolError(
    'conflict',
    `The result of the command for plan '${plan}' is not stored, or belongs to another command`,
    {
      hint: 'Nothing was run. Make a new dry run, or make the call without the plan',
    },
  )
