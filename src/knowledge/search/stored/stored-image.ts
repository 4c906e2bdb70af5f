import { isAscii } from 'node:buffer'
import type { Sections } from '../../../machine/state/sections.ts'
import { spelled } from '../../tree/disk-path.ts'
import type { TreeImage } from '../../tree/tree-image.ts'
import { pagesOf, partLengths, type SegmentPlan } from '../index/segment-file.ts'

/** A stored segment by the name of its file. */
export interface StoredPlan extends SegmentPlan {
  readonly name: string
}

/** What is stored of all files besides their paths and looks. */
export interface StoredFiles {
  readonly segments: readonly StoredPlan[]
  /** Positions of the files that hold secrets. */
  readonly secrets: readonly number[]
}

/** The files of a workspace in path order, and the stored segment that has the text of each. */
export interface StoredImage extends StoredFiles {
  readonly tree: TreeImage
  readonly paths: readonly string[]
  /** For each file: its segment and its position there; -1 if it is not stored. */
  readonly where: Int32Array
  /** For each segment: the checksums of its pages. */
  readonly sums: readonly Uint32Array[]
}

/** Returns undefined if any part is damaged. */
export function readImage(sections: Sections): StoredImage | undefined {
  const [tree, places, looks, where, sums, about] = ['tree', 'places', 'looks', 'where', 'sums', 'about'].map(name =>
    sections.read(name),
  )
  if (!tree || !places || !looks || !where || !sums || !about) return undefined
  const files = places.length === 0 ? [] : places.toString('latin1').split('\0')
  const known: StoredFiles = JSON.parse(about.toString('utf8'))
  let at = 0
  return {
    ...known,
    tree: { ...JSON.parse(tree.toString('utf8')), files, looks: new Float64Array(...numbersOf(looks, 8)) },
    paths: isAscii(places) ? files : files.map(spelled),
    where: new Int32Array(...numbersOf(where, 4)),
    sums: known.segments.map(plan => {
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
