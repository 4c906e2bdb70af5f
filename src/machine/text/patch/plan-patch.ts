import { ToolError } from '../../../kernel/error.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Applied, FilePatch } from './patch-types.ts'
import { applyBinary, binaryRoom, type BinaryRoom } from './apply-binary.ts'
import { applyHunks } from './apply-hunks.ts'
import { loadTarget, type Target } from './patch-target.ts'
import { show } from '../../workspace/path.ts'
import { stricter } from './patch-error.ts'
import { parentsOf } from './patch-path.ts'

/** Result of one section of a patch. */
export interface PlannedFile extends Pick<Applied, 'offsets' | 'fuzz'> {
  readonly file: FilePatch
  readonly kind: FilePatch['kind']
  /** The content read; absent for a create. */
  readonly before?: Target
  /** The resulting content of `file.to`; absent for a delete. */
  readonly after?: Target
}

/** State of a name so far: a later section will remove it, one has removed it, or one wrote it. */
type Fate = 'doomed' | 'gone' | { readonly by: FilePatch['kind']; readonly target: Target }

/**
 * Computes every section without staging anything. Sections see earlier writes, but a rename or copy takes its source
 * as before the patch: so names can be swapped, like in git.
 */
export function planPatch(ws: Workspace, files: readonly FilePatch[], fuzz: number): PlannedFile[] {
  const fates = new Map<string, Fate>()
  const binaryBudget = binaryRoom()
  for (const { kind, from } of files) if (from !== undefined && removes(kind)) fates.set(from, 'doomed')
  const plannedFiles = files.map(file => {
    const plan = planFile(ws, file, fates, { fuzz, room: binaryBudget })
    if (file.to !== undefined && plan.after) fates.set(file.to, { by: plan.kind, target: plan.after })
    if (file.from !== undefined && removes(file.kind)) fates.set(file.from, 'gone')
    return plan
  })
  checkNesting(plannedFiles, fates)
  return plannedFiles
}

/** A new file of the patch cannot lie below another file. */
function checkNesting(planned: readonly PlannedFile[], fates: ReadonlyMap<string, Fate>): void {
  for (const { file } of planned)
    for (const parent of parentsOf(file.to ?? ''))
      if (typeof fates.get(parent) === 'object')
        throw stricter('directory', file.at, `${show(parent)} cannot be a file and a directory`, 'Choose other names.')
}

const removes = (kind: FilePatch['kind']): boolean => kind === 'delete' || kind === 'rename'

function planFile(
  ws: Workspace,
  file: FilePatch,
  fates: ReadonlyMap<string, Fate>,
  { fuzz, room }: { readonly fuzz: number; readonly room: BinaryRoom },
): PlannedFile {
  const before = file.from === undefined ? undefined : sourceOf(ws, file, file.from, fates)
  const kind = file.kind === 'change' && before === undefined ? 'create' : file.kind
  if (file.to !== undefined && kind !== 'change' && kind !== 'delete') checkFree(ws, file, file.to, fates)
  const name = file.to ?? file.from ?? ''
  if (file.wholeFile === true && before !== undefined) return { file, kind, before, offsets: [], fuzz: [] }
  const bytes = before?.bytes ?? Buffer.alloc(0)
  const section = { at: file.at, name, isNew: before === undefined }
  const newContent = file.binary
    ? { bytes: applyBinary(bytes, file.binary, section, room), offsets: [], fuzz: [] }
    : applyNew(kind, bytes, file, { fuzz, reverse: false, file: name })
  const { offsets, fuzz: droppedContext } = newContent
  const common = { file, kind, offsets, fuzz: droppedContext, ...(before === undefined ? {} : { before }) }
  if (kind !== 'delete') return { ...common, after: { bytes: newContent.bytes, mode: modeOf(file, before) } }
  if (newContent.bytes.length > 0)
    throw new ToolError('no_match', `${show(name)} has more in it than the patch deletes`, {
      hint: 'Read the file and make the patch again.',
      details: { file: name, patchLine: file.at },
    })
  return common
}

/** The lines of a new file in a model's form are its content. */
function applyNew(kind: FilePatch['kind'], bytes: Buffer, file: FilePatch, options: Parameters<typeof applyHunks>[2]) {
  if (kind !== 'create' || file.form === 'unified') return applyHunks(bytes, file.hunks, options)
  const lines = file.hunks.flatMap(hunk => hunk.lines.map(line => line.slice(1)))
  return { bytes: Buffer.from(lines.join(''), 'latin1'), offsets: [0], fuzz: [0] }
}

/** Returns the source of a section, or undefined if it may create the missing file. */
function sourceOf(ws: Workspace, file: FilePatch, path: string, fates: ReadonlyMap<string, Fate>): Target | undefined {
  const fate = fates.get(path)
  const isRewritten = typeof fate === 'object'
  const fresh = file.kind === 'rename' || file.kind === 'copy'
  if (isRewritten && (file.kind === 'delete' || (file.kind === 'rename' && fate.by === 'change')))
    throw stricter('order', file.at, `${show(path)} is removed after an earlier section wrote it`, TWO_PATCHES)
  if (fresh && file.from === file.to)
    throw stricter('order', file.at, `${show(path)} is renamed to itself`, 'Leave the rename out.')
  if (fate === 'gone' && file.kind === 'rename')
    throw stricter('order', file.at, `${show(path)} was renamed or deleted by an earlier section`, ONE_RENAME)
  if (fate === 'gone' && !fresh)
    throw new ToolError('not_found', `${show(path)} was renamed or deleted by an earlier section of the patch`, {
      hint: TWO_PATCHES,
      details: { file: path, patchLine: file.at },
    })
  if (isRewritten && !fresh) return fate.target
  const onlyAdds = file.hunks.length === 1 && file.hunks[0]?.oldLines === 0
  return loadTarget(ws, path, file.at, { mayBeAbsent: file.guessed === true && onlyAdds })
}

const ONE_RENAME = 'Rename it once; write `copy from` and `copy to` for each other new name.'
const TWO_PATCHES = 'Apply it as two patches, one after the other.'

/** A new name must be free, or become free in this patch. */
function checkFree(ws: Workspace, file: FilePatch, path: string, fates: ReadonlyMap<string, Fate>): void {
  const fate = fates.get(path)
  if (typeof fate === 'object')
    throw stricter('order', file.at, `${show(path)} is created by two sections`, 'Create each file once.')
  // Nothing can lie below a file that the patch removes.
  if (parentsOf(path).some(parent => typeof fates.get(parent) === 'string')) return
  const there = loadTarget(ws, path, file.at, { mayBeAbsent: true })
  if (there !== undefined && fate === undefined)
    throw new ToolError('exists', `${show(path)} exists already`, {
      hint: 'Change the file instead of creating it, or choose another name.',
      details: { file: path, patchLine: file.at },
    })
}

function modeOf(file: FilePatch, before: Target | undefined): number {
  if (before === undefined) return file.newMode !== undefined && (file.newMode & 0o100) !== 0 ? 0o755 : 0o644
  if (file.newMode === undefined) return before.mode
  // A patch only has the executable bit; read permissions stay.
  const readable = (before.mode & 0o444) >> 2
  return (file.newMode & 0o100) === 0 ? before.mode & ~0o111 : before.mode | readable
}
