import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../scripts/root.mjs'
import { SLOW, suites } from './suites.ts'

/** Begins each suite with its slowest files: one that comes last runs alone, and other processors have nothing to do. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer, which gives a new list
    const sorted = await super.sort(files)
    return suites.flatMap(({ name }) =>
      sorted.filter(file => file.project.name === name).toSorted((one, other) => placeOf(one) - placeOf(other)),
    )
  }
}

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = SLOW.indexOf(relative(root, moduleId).split(sep).join('/'))
  return place < 0 ? SLOW.length : place
}
