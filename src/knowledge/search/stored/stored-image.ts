import { isAscii } from 'node:buffer'
import type { Sections } from '../../../machine/state/sections.ts'
import { decodePath } from '../../tree/disk-path.ts'
import type { TreeImage } from '../../tree/tree-image.ts'
import { pagesOf, partLengths, type SegmentPlan } from '../index/segment-file.ts'

/** A stored segment by the name of its file. */
export interface StoredPlan extends SegmentPlan {
  readonly name: string
}

/** What is stored of all files besides their paths and looks. */
export interface StoredFiles {
  /** Number of all files. */
  readonly files: number
  readonly segments: readonly StoredPlan[]
  /** Positions of the files that hold secrets. */
  readonly secrets: readonly number[]
}

/** What tells how much a search would have to read. */
export interface StoredAbout extends StoredFiles {
  readonly common: Uint32Array
}

/** The files of a workspace in path order, and the stored segment that has the text of each. */
export interface StoredImage extends Pick<StoredFiles, 'segments' | 'secrets'> {
  readonly tree: TreeImage
  readonly paths: readonly string[]
  /** For each file: its segment and its position there; -1 if it is not stored. */
  readonly where: Int32Array
  /** For each segment: the checksums of its pages. */
  readonly sums: readonly Uint32Array[]
}

/** Returns undefined if any part that it reads is damaged. */
export function readAbout(sections: Sections): StoredAbout | undefined {
  const [about, common] = [sections.read('about'), sections.read('common')]
  return about && common && { ...JSON.parse(about.toString('utf8')), common: new Uint32Array(...numbersOf(common, 4)) }
}

/** Returns undefined if any part is damaged. */
export function readImage(sections: Sections, { segments, secrets }: StoredFiles): StoredImage | undefined {
  const [tree, places, looks, where, sums] = ['tree', 'places', 'looks', 'where', 'sums'].map(name =>
    sections.read(name),
  )
  if (!tree || !places || !looks || !where || !sums) return undefined
  const files = places.length === 0 ? [] : places.toString('latin1').split('\0')
  let at = 0
  return {
    segments,
    secrets,
    tree: { ...JSON.parse(tree.toString('utf8')), files, looks: new Float64Array(...numbersOf(looks, 8)) },
    paths: isAscii(places) ? files : files.map(decodePath),
    where: new Int32Array(...numbersOf(where, 4)),
    sums: segments.map(plan => {
      const pages = partLengths(plan).reduce((sum, length) => sum + pagesOf(length), 0)
      at += pages
      return new Uint32Array(...numbersOf(sums, 4)).subarray(at - pages, at)
    }),
  }
}

const numbersOf = ({ buffer, byteOffset, byteLength }: Buffer, size: number): [ArrayBuffer, number, number] => [
  buffer as ArrayBuffer,
  byteOffset,
  byteLength / size,
]
