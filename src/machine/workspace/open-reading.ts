import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { isSeenFile } from './canonical-claims.ts'
import { hashOf, isDirectory, isSpecial, notFound, openRegular, openSeen, readWhole, type OpenedFile } from './disk.ts'
import { createGrant, type Grant } from './grant.ts'
import { permissionsOf, versionOf } from './identity.ts'
import { show } from './path.ts'
import type { ReadMemory } from './read-memory.ts'
import type { Root } from './root.ts'
import type { Staging } from './staging.ts'
import { createView, entryOf, type Look, type View } from './view.ts'
import type { FileContent, OpenFile, ReadableWorkspace } from './workspace.ts'

export interface ReadingOptions {
  /** Claims of the call. */
  readonly grant: readonly Claim[]
  /** Receives its changes and overlays the disk. */
  readonly staging: Staging
  /** Earlier reads of this session. */
  readonly memory: ReadMemory
}

/** The files of a workspace opened for reading, with the state that writes check against. */
export interface Reading extends ReadableWorkspace {
  readonly view: View
  readonly grant: Grant
  /** Hashes of files that this call read and may also write. */
  readonly readHere: ReadonlyMap<string, string>
}

/** Opens the files of a workspace for the reads of one call. */
export function openReading(root: Root, { grant: claims, staging, memory }: ReadingOptions): Reading {
  const grant = createGrant(claims)
  const view = createView(root, staging)
  const readHere = new Map<string, string>()

  return {
    view,
    grant,
    readHere,

    locate: (path, { link = false } = {}) => view.look(path, { link }, ({ located }) => located.rel),

    stat: path =>
      view.look(path, {}, ({ located, seen }) => {
        grant.need(located.rel, 'read')
        return entryOf(located.rel, seen)
      }),

    open(path) {
      // Nearly always: the call was let in to read this file a moment ago.
      const knownFile = isSeenFile(claims, path) && staging.isEmpty() ? openSeen(root, path) : undefined
      if (knownFile) return openFileOf(root, path, knownFile)
      return view.look(path, {}, look => {
        checkReadable(look)
        return openAt(root, view, look)
      })
    },

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
  }

  function checkReadable({ located, type }: Look): void {
    const { rel } = located
    grant.need(rel, 'read')
    if (type === 'directory') throw isDirectory(rel)
    if (type === 'absent') {
      // A missing file is recorded as missing, so that creating it is no conflict.
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
   * Staged text is ours and needs no guard. A file that a call reads only to write it was not shown to the caller, so
   * the read must not permit the next write.
   */
  function noteRead({ located: { rel } }: Look, { hash, bytes }: FileContent): void {
    if (staging.get(rel) !== undefined) return
    if (grant.has(rel, 'create', 'write')) readHere.set(rel, hash)
    else memory.note(rel, hash, undefined, bytes)
  }
}

function openAt(root: Root, view: View, { located, seen }: Look): OpenFile {
  const path = located.rel
  if (seen.type === 'file') {
    const bytes = view.bytes(seen)
    const read = (offset: number, length: number) => Buffer.from(bytes.subarray(offset, offset + length))
    return { path, size: bytes.length, mode: seen.mode, read, close() {} }
  }
  return openFileOf(root, path, openRegular(root, located))
}

function openFileOf(root: Root, path: string, { fd, stats }: OpenedFile): OpenFile {
  const version = versionOf(stats)
  let open = true
  return {
    path,
    size: Number(stats.size),
    mode: permissionsOf(stats),
    ...(version !== undefined && { version }),
    read(offset, length) {
      const buffer = Buffer.allocUnsafe(length)
      let filledBytes = 0
      while (filledBytes < length) {
        const count = root.sys.read(fd, buffer, filledBytes, length - filledBytes, offset + filledBytes)
        if (count === 0) break
        filledBytes += count
      }
      return buffer.subarray(0, filledBytes)
    },
    close() {
      if (open) root.sys.close(fd)
      open = false
    },
  }
}
