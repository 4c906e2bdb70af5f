import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { changesOf } from './changes.ts'
import { hashOf, isDirectory, isSpecial, notFound, openRegular, readWhole } from './disk.ts'
import { createGrant } from './grant.ts'
import { permissionsOf } from './identity.ts'
import { mutationsOf } from './mutations.ts'
import { show } from './path.ts'
import type { ReadMemory } from './read-memory.ts'
import type { Root } from './root.ts'
import type { Staging } from './staging.ts'
import { versionOf } from './version.ts'
import { createView, entryOf, type Look } from './view.ts'
import type { FileContent, OpenFile, Workspace } from './workspace.ts'

export interface WorkspaceOptions {
  /** What the call may touch. */
  readonly grant: readonly Claim[]
  /** Where its changes go, and what it sees over the disk. */
  readonly staging: Staging
  /** What this session read before. */
  readonly memory: ReadMemory
  /** Refuse to replace an existing file that this session never read. */
  readonly strictWrites?: boolean
  /** Whether rules let the caller read a path; a failed condition then names the hash. All, unless given. */
  readonly mayRead?: (path: string) => boolean
}

/** Opens the files of a workspace for the claims of one call. */
export function openWorkspace(root: Root, options: WorkspaceOptions): Workspace {
  const { staging, memory } = options
  const grant = createGrant(options.grant)
  const view = createView(root, staging)
  /** What this very call read of files that it may also write. */
  const readHere = new Map<string, string>()

  return {
    locate: (path, { link = false } = {}) => view.look(path, { link }, ({ located }) => located.rel),

    stat: path =>
      view.look(path, {}, ({ located, seen }) => {
        grant.need(located.rel, 'read')
        return entryOf(located.rel, seen)
      }),

    open: path =>
      view.look(path, {}, look => {
        checkReadable(look)
        return openAt(look)
      }),

    read: path =>
      view.look(path, {}, look => {
        checkReadable(look)
        const content = readAt(look)
        noteRead(look, content)
        return content
      }),

    list: path =>
      view.look(path === '' ? '.' : path, {}, look => {
        const { rel } = look.located
        grant.need(rel, 'read')
        if (look.type === 'absent') throw notFound(rel)
        if (look.type !== 'directory') throw new ToolError('not_a_directory', `${show(rel)} is not a directory`)
        return view.children(look)
      }),

    ...mutationsOf({
      view,
      staging,
      grant,
      memory,
      readHere,
      strictWrites: options.strictWrites ?? false,
      mayRead: options.mayRead ?? (() => true),
    }),

    changes: () => changesOf(staging, view),
  }

  function checkReadable({ located, type }: Look): void {
    const { rel } = located
    grant.need(rel, 'read')
    if (type === 'directory') throw isDirectory(rel)
    if (type === 'absent') {
      // A file that is gone is known to be gone, so that writing it anew is no conflict.
      if (staging.get(rel) === undefined) memory.noteWritten(rel, undefined)
      throw notFound(rel)
    }
    if (type !== 'file') throw isSpecial(rel)
  }

  function readAt({ located, seen }: Look): FileContent {
    const path = located.rel
    if (seen.type === 'file') {
      const bytes = view.bytes(seen)
      return { path, bytes, mode: seen.mode, hash: seen.hash }
    }
    const { bytes, identity } = readWhole(root, located)
    return { path, bytes, mode: identity.mode, hash: hashOf(bytes) }
  }

  /**
   * Staged text is ours and needs no guard. What a call reads in order to write it was not shown to anybody: it must
   * not pass for a look at the file that would let the next write through.
   */
  function noteRead({ located: { rel } }: Look, { hash }: FileContent): void {
    if (staging.get(rel) !== undefined) return
    if (grant.has(rel, 'create', 'write')) readHere.set(rel, hash)
    else memory.note(rel, hash)
  }

  function openAt({ located, seen }: Look): OpenFile {
    const path = located.rel
    if (seen.type === 'file') {
      const bytes = view.bytes(seen)
      const read = (offset: number, length: number) => Buffer.from(bytes.subarray(offset, offset + length))
      return { path, size: bytes.length, mode: seen.mode, read, close() {} }
    }
    const { fd, stats } = openRegular(root, located)
    const version = versionOf(stats)
    let open = true
    return {
      path,
      size: Number(stats.size),
      mode: permissionsOf(stats),
      ...(version !== undefined && { version }),
      read(offset, length) {
        const buffer = Buffer.allocUnsafe(length)
        let filled = 0
        while (filled < length) {
          const count = root.sys.read(fd, buffer, filled, length - filled, offset + filled)
          if (count === 0) break
          filled += count
        }
        return buffer.subarray(0, filled)
      },
      close() {
        if (open) root.sys.close(fd)
        open = false
      },
    }
  }
}
