import { decode } from '../model/decode.ts'
import { LARGEST } from '../model/facts/facts-of.ts'
import { readWhole } from '../../machine/workspace/disk.ts'
import type { Root } from '../../machine/workspace/root.ts'
import type { Staging } from '../../machine/workspace/staging.ts'
import { createView } from '../../machine/workspace/view.ts'

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
