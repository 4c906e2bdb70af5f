import { parsePatch, type ParseOptions } from './parse-patch.ts'

/** Every file that a patch touches: what it looks at, what it changes or takes away, and what it makes. */
interface PatchPaths {
  readonly reads: string[]
  readonly writes: string[]
  readonly creates: string[]
}

/** The files of a patch as claims need them: without looking at any of them; throws `invalid_input` on garbage. */
export function patchPaths(diff: string | Buffer, options: ParseOptions = {}): PatchPaths {
  const reads = new Set<string>()
  const writes = new Set<string>()
  const creates = new Set<string>()
  for (const { kind, from, to, hunks, newMode, binary } of parsePatch(diff, options)) {
    for (const path of [from, to]) if (path !== undefined) reads.add(path)
    if (from !== undefined && kind !== 'copy') writes.add(from)
    if (to !== undefined && to !== from) creates.add(to)
    // A file that is moved first and then changed is changed under its new name.
    if (kind === 'rename' && to !== undefined && (hunks.length > 0 || binary || newMode !== undefined)) writes.add(to)
  }
  return { reads: [...reads], writes: [...writes], creates: [...creates] }
}
