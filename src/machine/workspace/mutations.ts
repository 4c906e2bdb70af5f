import { ToolError } from '../../kernel/error.ts'
import { hashOf, isDirectory, isSpecial, notFound, type DiskState } from './disk.ts'
import type { Grant } from './grant.ts'
import { otherChanges } from './other-changes.ts'
import { join, parentOf, show } from './path.ts'
import { checkPrecondition } from './precondition.ts'
import type { ReadMemory } from './read-memory.ts'
import type { DiskFile, DiskLink, NewFile, NewLink, State } from './staged.ts'
import type { Staging } from './staging.ts'
import type { Look, View } from './view.ts'
import type { Basis, Workspace } from './workspace.ts'

interface Parts {
  readonly view: View
  readonly staging: Staging
  readonly grant: Grant
  readonly memory: ReadMemory
  /** Hashes of files that this call read, by path. */
  readonly readHere: ReadonlyMap<string, string>
  readonly strictWrites: boolean
  readonly mayRead: (path: string) => boolean
  readonly warn: (warning: string) => void
}

type Mutations = Pick<Workspace, 'put' | 'remove' | 'move' | 'makeDirectory' | 'setMode'>

const NEW_FILE = 0o644
const NEW_DIRECTORY = 0o755

/** The operations that change a workspace: each checks the grant and the current state, then stages. */
export function mutationsOf(parts: Parts): Mutations {
  const { view, staging, grant } = parts
  return {
    put: (path, bytes, { mode, expect, basis } = {}) =>
      view.look(path, {}, look => {
        const { rel, name, directory } = look.located
        grant.need(rel, 'create', 'write')
        if (name === undefined || directory || look.type === 'directory') throw isDirectory(rel)
        if (look.type !== 'file' && look.type !== 'absent') throw isSpecial(rel)
        const base = view.base(look)
        const holdsUnread = check(parts, look, base, { expect, replaces: true, basis })
        if (look.type === 'file') grant.need(rel, 'write')
        const before = look.type === 'file' ? fileIn(look, base) : undefined
        free(parts, rel)
        makeParents(parts, rel)
        const from = before === undefined ? undefined : 'source' in before ? before.source : before.movedFrom
        const hash = hashOf(bytes)
        staging.set(rel, base, {
          type: 'file',
          bytes,
          hash,
          mode: mode === undefined ? (before?.mode ?? NEW_FILE) : checkMode(mode),
          ...(from !== undefined && from !== rel && { movedFrom: from }),
          ...(holdsUnread && { holdsUnread }),
        })
        return hash
      }),

    remove: path =>
      view.look(path, { link: true }, look => {
        const { rel, name } = look.located
        if (name === undefined) throw new ToolError('invalid_input', 'The workspace itself cannot be deleted')
        grant.need(rel, 'write')
        if (look.type === 'absent') throw notFound(rel)
        if (look.type === 'other') throw isSpecial(rel)
        if (look.type === 'directory' && view.children(look).length > 0)
          throw new ToolError('not_a_file', `${show(rel)} is a directory that is not empty`, {
            hint: 'Delete what is in it first.',
          })
        const base = view.base(look)
        check(parts, look, base, { replaces: false })
        staging.set(rel, base, { type: 'absent' })
      }),

    move: (from, to) =>
      view.look(from, { link: true }, source => {
        view.look(to, { link: true }, target => moveTo(parts, source, target))
      }),

    makeDirectory: path =>
      view.look(path, {}, ({ located: { rel }, type }) => {
        grant.need(rel, 'create', 'write')
        if (type === 'directory') return []
        if (type !== 'absent') throw new ToolError('exists', `${show(rel)} is there and is not a directory`)
        free(parts, rel)
        return makeDirectories(parts, rel)
      }),

    setMode: (path, mode) =>
      view.look(path, {}, look => {
        const { rel } = look.located
        grant.need(rel, 'write')
        if (look.type === 'absent') throw notFound(rel)
        if (look.type === 'directory') throw isDirectory(rel)
        if (look.type !== 'file') throw isSpecial(rel)
        const base = view.base(look)
        const file = fileIn(look, base)
        if (file !== undefined) staging.set(rel, base, { ...file, mode: checkMode(mode) })
      }),
  }
}

function moveTo(parts: Parts, source: Look, target: Look): void {
  const { view, staging, grant } = parts
  const from = source.located.rel
  const to = target.located.rel
  grant.need(from, 'write')
  grant.need(to, 'create', 'write')
  if (source.type === 'absent') throw notFound(from)
  if (source.type === 'directory') throw isDirectory(from)
  if (source.type === 'other') throw isSpecial(from)
  if (target.type !== 'absent')
    throw new ToolError('exists', `${show(to)} is already there`, {
      hint: 'Choose another name, or delete it first.',
    })
  if (target.located.directory) throw isDirectory(to)
  const base = view.base(source)
  check(parts, source, base, { replaces: false })
  const thing = source.type === 'symlink' ? linkIn(source, base) : fileIn(source, base)
  if (thing === undefined) throw notFound(from)
  const targetBase = view.base(target)
  free(parts, to)
  makeParents(parts, to)
  staging.set(to, targetBase, arriving(parts, thing, from, to, targetBase))
  staging.set(from, base, { type: 'absent' })
}

/** A moved file stays a rename on disk only if the new name was free there from the start. */
function arriving(
  { view }: Parts,
  thing: NewFile | DiskFile | DiskLink | NewLink,
  from: string,
  to: string,
  base: DiskState,
): State {
  if (!('source' in thing)) return thing.type === 'symlink' ? thing : { ...thing, movedFrom: thing.movedFrom ?? from }
  if (thing.source === to || base.type === 'absent') return thing
  if (thing.type === 'symlink') throw linkInTheWay(to)
  return { type: 'file', bytes: view.bytes(thing), hash: thing.hash, mode: thing.mode, movedFrom: thing.source }
}

/** Before reusing the old name of a staged move, gives the moved file its own content. */
function free({ view, staging }: Parts, path: string): void {
  if (staging.get(path)?.state.type !== 'absent') return
  for (const [target, { base, state }] of staging.entries()) {
    if (!('source' in state) || state.source !== path || target === path) continue
    if (state.type === 'symlink') throw linkInTheWay(path)
    const bytes = view.bytes(state)
    staging.set(target, base, { type: 'file', bytes, hash: state.hash, mode: state.mode, movedFrom: path })
  }
}

function makeParents(parts: Parts, path: string): void {
  const parent = parentOf(path)
  if (parent !== '.') makeDirectories(parts, parent)
}

/** Stages every missing directory of a canonical path. Returns their paths. */
function makeDirectories(parts: Parts, path: string): string[] {
  const { view, staging } = parts
  const newDirectories: string[] = []
  let directory = '.'
  for (const name of path.split('/')) {
    directory = join(directory, name)
    view.look(directory, { link: true }, look => {
      if (look.type !== 'absent') return
      free(parts, look.located.rel)
      staging.set(look.located.rel, view.base(look), { type: 'directory', mode: NEW_DIRECTORY })
      newDirectories.push(look.located.rel)
    })
  }
  return newDirectories
}

/** Refuses a change on a state other than the known one. Reports whether the result holds what the session has not read. */
function check(
  { staging, memory, readHere, strictWrites, mayRead, warn }: Parts,
  look: Look,
  base: DiskState,
  { expect, replaces, basis }: { expect?: string | undefined; replaces: boolean; basis?: Basis | undefined },
): boolean {
  const { rel } = look.located
  const stagedEntry = staging.get(rel)
  const now = stagedEntry === undefined ? hashIn(base) : hashIn(stagedEntry.state)
  // Staged content is our own work: only the caller's condition can refuse it.
  const rememberedHash = stagedEntry === undefined ? (memory.get(rel) ?? readHere.get(rel)) : undefined
  if (
    basis !== undefined &&
    rememberedHash !== undefined &&
    rememberedHash !== now &&
    now === basis.hash &&
    basis.isUnique()
  ) {
    warn(otherChanges(rel, memory.contentOf(rel), basis.bytes))
    return true
  }
  const mustBeRead = replaces && strictWrites && stagedEntry === undefined
  const partly = !memory.isWhole(rel) && !readHere.has(rel)
  checkPrecondition({ path: rel, now, remembered: rememberedHash, expect, mustBeRead, partly, mayRead: mayRead(rel) })
  return (
    basis !== undefined &&
    stagedEntry?.state.type === 'file' &&
    'bytes' in stagedEntry.state &&
    stagedEntry.state.holdsUnread === true
  )
}

const hashIn = (state: State | DiskState): string | undefined => (state.type === 'file' ? state.hash : undefined)

function fileIn({ seen, located }: Look, base: DiskState): NewFile | DiskFile | undefined {
  if (seen.type === 'file') return seen
  if (base.type !== 'file') return undefined
  const { identity, hash } = base
  return { type: 'file', source: located.rel, identity, hash, mode: identity.mode }
}

function linkIn({ seen, located }: Look, base: DiskState): DiskLink | NewLink | undefined {
  if (seen.type === 'symlink') return seen
  if (base.type !== 'symlink') return undefined
  return { type: 'symlink', source: located.rel, identity: base.identity, target: base.target }
}

function checkMode(mode: number): number {
  if (Number.isInteger(mode) && mode >= 0 && mode <= 0o777) return mode
  throw new ToolError('invalid_input', `${String(mode)} is not a file mode`, {
    hint: 'Use permission bits, 0o000 to 0o777.',
  })
}

const linkInTheWay = (path: string): ToolError =>
  new ToolError('conflict', `${show(path)} cannot be used again together with the move of a link`, {
    hint: 'Commit the move first.',
  })
