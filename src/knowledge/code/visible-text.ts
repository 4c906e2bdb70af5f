import { ToolError, type Code } from '../../kernel/error.ts'
import { decode } from '../model/decode.ts'
import { LARGEST } from '../model/facts/facts-of.ts'
import { readWhole } from '../../machine/workspace/disk.ts'
import type { Root } from '../../machine/workspace/root.ts'
import type { Staging } from '../../machine/workspace/staging.ts'
import { createView } from '../../machine/workspace/view.ts'

/** The text of a file as staged; undefined if it is missing, too large to be source, or a link that leads nowhere. */
export function visibleText(root: Root, staging: Staging, path: string, largest = LARGEST): string | undefined {
  try {
    return textIn(root, staging, path, largest)
  } catch (error) {
    // A link may be removed or moved even if it points out of the workspace or in a circle.
    if (error instanceof ToolError && LEADS_NOWHERE.has(error.code)) return undefined
    throw error
  }
}

const LEADS_NOWHERE: ReadonlySet<Code> = new Set(['outside_workspace', 'invalid_input'])

function textIn(root: Root, staging: Staging, path: string, largest: number): string | undefined {
  const view = createView(root, staging)
  return view.look(path, {}, ({ located, seen, type }) => {
    if (type !== 'file') return undefined
    if (seen.type === 'file') return decode(view.bytes(seen))
    if (located.stats === undefined || located.stats.size > largest) return undefined
    return decode(readWhole(root, located).bytes)
  })
}
