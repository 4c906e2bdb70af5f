import { renameSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { isSecretFile } from '../../../kernel/secret-files.ts'
import { writeSections } from '../../../machine/state/sections.ts'
import { cacheGrew } from '../../../machine/upkeep/growth.ts'
import { LOOK_FIELDS, type TakenImage } from '../../tree/tree-image.ts'
import { readPlan } from '../index/segment-file.ts'
import type { HeldSegment } from '../index/segment-store.ts'
import type { Segment } from '../index/segment.ts'
import { comparePaths } from '../path-order.ts'
import { commonTrigrams } from './common-trigrams.ts'
import { imageFile, type StoredPlace } from './stored-place.ts'
import type { StoredFiles, StoredPlan } from './stored-image.ts'

/**
 * Stores which segment has which file, for a later process with one question. The image only saves time, so a failure is
 * ignored.
 */
export function saveSearch(place: StoredPlace, tree: TakenImage, segments: Iterable<HeldSegment>): void {
  const file = imageFile(place)
  const temporary = `${file}.${process.pid}`
  try {
    const sections = sectionsOf(tree, segments)
    writeSections(temporary, place.key(), sections)
    renameSync(temporary, file)
    cacheGrew(
      place.directory,
      Object.values(sections).reduce((sum, { byteLength }) => sum + byteLength, 0),
    )
  } catch {
    rmSync(temporary, { force: true })
  }
}

function sectionsOf(tree: TakenImage, held: Iterable<HeldSegment>): Readonly<Record<string, Uint8Array>> {
  const segments: StoredPlan[] = []
  const savedSegments: Segment[] = []
  const sums: Uint8Array[] = []
  /** By path: the stamp of what was read, its segment, and its position there. */
  const filesByPath = new Map<string, readonly [stamp: string, segment: number, file: number]>()
  for (const one of held) {
    const read = planOf(one)
    if (!read) continue
    for (const [at, { path, stamp, isSettled }] of one.taken.entries())
      if (isSettled && one.segment.live[at] === 1) filesByPath.set(path, [stamp, segments.length, at])
    segments.push({ name: basename(one.file ?? ''), ...read.plan })
    savedSegments.push(one.segment)
    sums.push(new Uint8Array(read.sums.buffer))
  }
  const files = [...tree.files.values()].toSorted((one, other) => comparePaths(one.file.path, other.file.path))
  const looks = new Float64Array(files.length * LOOK_FIELDS)
  const where = new Int32Array(files.length * 2).fill(-1)
  for (const [at, { file }] of files.entries()) {
    const [stamp, segment, position] = filesByPath.get(file.path) ?? []
    // Nobody can tell whether a racy file is what was looked at.
    const look = file.racy ? [Number.NaN] : [file.ino, file.size, file.mtimeMs, file.ctimeMs]
    looks.set(look, at * LOOK_FIELDS)
    if (segment !== undefined && position !== undefined && stamp === file.stamp) where.set([segment, position], at * 2)
  }
  const about: StoredFiles = {
    files: files.length,
    segments,
    secrets: files.flatMap(({ file }, at) => (isSecretFile(file.path) ? at : [])),
  }
  return {
    tree: json({ outside: tree.outside, folders: tree.folders }),
    places: Buffer.from(files.map(({ bytes }) => bytes).join('\0'), 'latin1'),
    looks: new Uint8Array(looks.buffer),
    where: new Uint8Array(where.buffer),
    sums: Buffer.concat(sums),
    common: new Uint8Array(commonTrigrams(savedSegments).buffer),
    about: json(about),
  }
}

/**
 * Returns undefined for a segment that is not stored with its text. Reads what was opened when it was stored: by now
 * another process of the workspace, such as one of another build, may have put a file of its own in its place.
 */
function planOf({ segment, textBytes }: HeldSegment): ReturnType<typeof readPlan> {
  if (segment.stored === undefined) return undefined
  try {
    return readPlan(segment.stored.fd, { segment, textBytes })
  } catch {
    return undefined
  }
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
