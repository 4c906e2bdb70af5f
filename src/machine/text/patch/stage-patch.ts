import { parentsOf } from './patch-path.ts'
import type { PlannedFile } from './plan-patch.ts'
import type { Target } from './patch-target.ts'
import type { FilePatch, Hunk } from './patch-types.ts'
import type { Basis, Workspace } from '../../workspace/workspace.ts'
import { bodyOf, linesOf } from './byte-lines.ts'
import { somePlaces } from './find-place.ts'
import { createLineImage } from './line-image.ts'

/** Stages a planned patch: frees names first and takes them afterwards, so that they can be swapped or reused. */
export function stagePatch(ws: Workspace, plannedFiles: readonly PlannedFile[]): void {
  const last = new Map<string, PlannedFile>()
  for (const plan of plannedFiles) if (plan.file.to !== undefined && plan.after) last.set(plan.file.to, plan)
  const moves = plainMoves(plannedFiles)
  for (const plan of plannedFiles) {
    const { from } = plan.file
    const givenUp = plan.kind === 'delete' || (plan.kind === 'rename' && !moves.has(plan))
    if (givenUp && from !== undefined && !last.has(from)) ws.remove(from)
  }
  for (const { file } of moves) if (file.from !== undefined && file.to !== undefined) ws.move(file.from, file.to)
  for (const [path, plan] of last) if (plan.after) write(ws, path, plan, plan.after, moves.has(plan))
}

/** Returns the renames unrelated to the rest of the patch: they can be staged as moves. */
function plainMoves(planned: readonly PlannedFile[]): Set<PlannedFile> {
  const mentions = new Map<string, number>()
  for (const { file } of planned)
    for (const name of new Set([file.from, file.to]))
      if (name !== undefined) mentions.set(name, (mentions.get(name) ?? 0) + 1)
  const once = (name: string | undefined): boolean => name !== undefined && mentions.get(name) === 1
  // A name below a file of the patch is free only once that file is gone.
  const isBelow = (name = ''): boolean => parentsOf(name).some(parent => mentions.has(parent))
  return new Set(
    planned.filter(({ kind, file }) => kind === 'rename' && once(file.from) && once(file.to) && !isBelow(file.to)),
  )
}

function write(ws: Workspace, path: string, { file, before, kind }: PlannedFile, after: Target, moved: boolean): void {
  // An earlier section's write was never staged: only content that was read can stay unchanged.
  const inPlace = (moved || kind === 'change') && before?.hash !== undefined
  const sameMode = inPlace && before.mode === after.mode
  const basis = basisOf(file, before)
  if (!inPlace || !before.bytes.equals(after.bytes))
    ws.put(path, after.bytes, { ...(!sameMode && { mode: after.mode }), ...(inPlace && basis && { basis }) })
  else if (!sameMode) ws.setMode(path, after.mode)
}

/** Returns the content that the hunks of a section were applied to; a binary change names its content itself. */
const basisOf = (file: FilePatch, before: Target | undefined): Basis | undefined =>
  before?.hash === undefined || file.binary
    ? undefined
    : { bytes: before.bytes, hash: before.hash, isUnique: () => hunksStandOnce(before.bytes, file.hunks) }

/** Reports whether the context and the removed lines of every hunk stand exactly once in a content. */
function hunksStandOnce(bytes: Buffer, hunks: readonly Hunk[]): boolean {
  const lines = linesOf(bytes.toString('latin1'))
  const exact = createLineImage(lines)
  const bodies = createLineImage(lines.map(bodyOf))
  return hunks.every(hunk => {
    const old = hunk.lines.filter(line => !line.startsWith('+')).map(line => line.slice(1))
    if (old.length === 0) return false
    const places = hunk.place === 'text' ? somePlaces(bodies, old.map(bodyOf)) : somePlaces(exact, old)
    return places.length === 1
  })
}
