import { decode } from '../index/facts/decode.ts'
import { LARGEST } from '../index/facts/facts-of.ts'
import { readWhole } from '../workspace/disk.ts'
import type { Root } from '../workspace/root.ts'
import type { Staging } from '../workspace/staging.ts'
import { createView } from '../workspace/view.ts'

/** The text of a file as staged; undefined where there is none or it is too large to be source. */
export function seenText(root: Root, staging: Staging, path: string): string | undefined {
  const view = createView(root, staging)
  return view.look(path, {}, ({ located, seen, type }) => {
    if (type !== 'file') return undefined
    if (seen.type === 'file') return decode(view.bytes(seen))
    if (located.stats === undefined || located.stats.size > LARGEST) return undefined
    return decode(readWhole(root, located).bytes)
  })
}
