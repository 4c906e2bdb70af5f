import { parsePatch, type ParseOptions } from './parse-patch.ts'

/** Every file that a patch touches: read, changed or removed, and created. */
interface PatchPaths {
  readonly reads: string[]
  readonly writes: string[]
  readonly creates: string[]
}

/** Returns the files of a patch for claims without reading them. Throws `invalid_input` on garbage. */
export function patchPaths(diff: string | Buffer, options: ParseOptions = {}): PatchPaths {
  const reads = new Set<string>()
  const writes = new Set<string>()
  const creates = new Set<string>()
  for (const { kind, from, to, hunks, newMode, binary } of parsePatch(diff, options)) {
    for (const path of [from, to]) if (path !== undefined) reads.add(path)
    if (from !== undefined && kind !== 'copy') writes.add(from)
    if (to !== undefined && to !== from) creates.add(to)
    // A moved and changed file is changed under its new name.
    if (kind === 'rename' && to !== undefined && (hunks.length > 0 || binary || newMode !== undefined)) writes.add(to)
  }
  return { reads: [...reads], writes: [...writes], creates: [...creates] }
}
