import type { CompiledPattern } from '../pattern/types.ts'
import type { AttachedSegment } from './messages.ts'
import { FILE_FIELDS, KIND } from './segment.ts'

/** Reports whether a wanted file needs ripgrep: too large to hold, or binary only to a search by lines. */
export function needsRipgrep(
  attachedSegments: readonly AttachedSegment[],
  { byLine }: Pick<CompiledPattern, 'byLine'>,
  mask: Uint8Array | undefined,
): boolean {
  return attachedSegments.some(({ segment: { counts, files, live, pathIds } }) => {
    if (counts[2] === 0) return false
    for (let file = 0; file < (counts[0] ?? 0); file++) {
      const kind = files[file * FILE_FIELDS + 2]
      const isOdd = kind === KIND.huge || (kind === KIND.lateBinary && !byLine)
      if (isOdd && live[file] === 1 && (mask === undefined || mask[pathIds[file] as number] === 1)) return true
    }
    return false
  })
}
