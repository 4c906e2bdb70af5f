import type { BigIntStats } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { diskError, errnoOf } from './disk-error.ts'
import type { ResolvedPath, ResolveOptions } from './resolved-path.ts'
import { nameFromBytes, onDisk } from './name.ts'
import { segmentsOf, show } from './path.ts'
import type { Sys } from './sys.ts'

const MOST_LINKS = 40
/** Far above any honest path; bounds the work that `..` and links can ask for, and the retries under a race. */
const MOST_STEPS = 20_000

/** What the walk starts from. */
interface Start {
  readonly fd: number
  readonly sys: Sys
  readonly path: string
  /** Absolute segments relative to the root; undefined if they lie outside. */
  inside(absolute: readonly string[]): string[] | undefined
}

/**
 * The one walk from a path to a place: name by name through held directories, never following a link in the kernel.
 * A link is read and its text walked like any other path, so that nothing outside can be reached, whoever swaps what.
 */
export function walk(root: Start, asked: string, segments: readonly string[], options: ResolveOptions): ResolvedPath {
  const { sys } = root
  const { overlay, link = false } = options
  const pending = segments.toReversed()
  /** Canonical names from the root to the current directory; the last `missing` of them are not on disk. */
  let place: string[] = []
  let missing = 0
  /** The current directory exists neither on disk nor staged. */
  let lost = false
  let fd = root.fd
  let links = 0
  let steps = 0

  try {
    for (;;) {
      if (++steps > MOST_STEPS)
        throw new ToolError('invalid_input', `The path ${show(asked)} takes too long to resolve`)
      const segment = pending.pop()
      if (segment === undefined) {
        if (place.length === 0) return located(undefined, undefined, true)
        restart(place)
        continue
      }
      if (segment === '.') continue
      if (segment === '..') {
        climb()
        continue
      }
      let directory = false
      for (; pending.at(-1) === '.'; pending.pop()) directory = true
      const last = pending.length === 0
      const staged = overlay?.([...place, segment].join('/'))

      if (typeof staged === 'object') {
        if (last && link && !directory) return located(segment, lstat(segment), directory)
        follow(staged.target, directory)
        continue
      }
      if (last) {
        const stats = lstat(segment)
        if (staged === undefined && stats?.isSymbolicLink() && (!link || directory)) {
          const target = readLink(segment)
          if (target === undefined) pending.push(segment)
          else follow(target, directory)
          continue
        }
        const isDirectory = staged === undefined ? stats?.isDirectory() !== false : staged !== 'file'
        if (directory && !isDirectory) throw notDirectory(segment)
        return located(segment, stats, directory)
      }
      if (staged === 'file') throw notDirectory(segment)
      if (staged === 'absent' || missing > 0) {
        enterMissing(segment, staged === 'directory')
        continue
      }
      const next = openDirectory(segment)
      if (next.kind === 'directory') {
        release()
        fd = next.fd
        place.push(segment)
      } else if (next.kind === 'absent' || staged === 'directory') enterMissing(segment, staged === 'directory')
      else if (next.kind === 'link') follow(next.target, false)
      else if (next.kind === 'changed') pending.push(segment)
      else throw notDirectory(segment)
    }
  } catch (error) {
    release()
    throw diskError(error, asked)
  }

  function located(name: string | undefined, stats: BigIntStats | undefined, directory: boolean): ResolvedPath {
    const held = fd
    const rel = name === undefined ? '.' : [...place, name].join('/')
    const gone = missing === 0 ? [] : place.slice(-missing)
    let open = held !== root.fd
    const free = () => {
      if (open) sys.close(held)
      open = false
    }
    return { rel, dir: held, name, missing: gone, stats, directory, release: free }
  }

  function release(): void {
    if (fd !== root.fd) sys.close(fd)
    fd = root.fd
  }

  /** Begins again at the root with canonical names before whatever is pending. */
  function restart(names: readonly string[]): void {
    release()
    pending.push(...names.toReversed())
    place = []
    missing = 0
    lost = false
  }

  function climb(): void {
    if (lost) throw endsOutside(place.length - 1) ? outside() : notFound()
    if (place.length === 0) {
      // Above the root only names count: a path may leave by its own spelling and come back, nothing is opened there.
      const above = root.path.split('/').filter(name => name !== '')
      const rest = root.inside([...above.slice(0, -1), ...pending.toReversed()])
      if (rest === undefined) throw outside()
      pending.splice(0, pending.length, ...rest.toReversed())
      return
    }
    place.pop()
    while (pending.at(-1) === '..' && place.length > 0) {
      pending.pop()
      place.pop()
    }
    restart(place)
  }

  function follow(target: string, directory: boolean): void {
    if (++links > MOST_LINKS)
      throw new ToolError('invalid_input', `${show(asked)} goes through more than ${MOST_LINKS} links`, {
        hint: 'The links probably point at each other.',
      })
    if (directory) pending.push('.')
    const names = segmentsOf(target)
    if (!target.startsWith('/')) {
      pending.push(...names.toReversed())
      return
    }
    const rest = root.inside(names)
    if (rest === undefined) throw outside()
    restart([])
    pending.push(...rest.toReversed())
  }

  function enterMissing(segment: string, staged: boolean): void {
    place.push(segment)
    missing++
    lost = !staged
  }

  function lstat(segment: string): BigIntStats | undefined {
    return missing > 0 ? undefined : sys.lstat(fd, onDisk(segment))
  }

  function openDirectory(segment: string): Next {
    try {
      return { kind: 'directory', fd: sys.openDirectory(fd, onDisk(segment)) }
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === 'ENOENT') return { kind: 'absent' }
      if (errno !== 'ENOTDIR') throw error
    }
    const target = readLink(segment)
    if (target !== undefined) return { kind: 'link', target }
    const stats = lstat(segment)
    return { kind: stats === undefined || stats.isDirectory() || stats.isSymbolicLink() ? 'changed' : 'file' }
  }

  /** Undefined if it is not, or no longer, a link. */
  function readLink(segment: string): string | undefined {
    try {
      return nameFromBytes(sys.readlink(fd, onDisk(segment)))
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === 'EINVAL' || errno === 'ENOENT') return undefined
      throw error
    }
  }

  /** True if the rest of a path that cannot be walked would, by its names, leave the root. */
  function endsOutside(from: number): boolean {
    let depth = from
    for (const name of pending.toReversed()) {
      depth += name === '..' ? -1 : name === '.' ? 0 : 1
      if (depth < 0) return true
    }
    return false
  }

  function outside(): ToolError {
    return new ToolError('outside_workspace', `${show(asked)} is outside the workspace`, {
      hint: 'Use a path inside the workspace; links that lead out of it are not followed.',
    })
  }

  function notFound(): ToolError {
    return new ToolError('not_found', `${show(place.join('/'))} does not exist, so '..' after it means nothing`)
  }

  function notDirectory(segment: string): ToolError {
    place.push(segment)
    if (endsOutside(place.length)) return outside()
    return new ToolError('not_a_directory', `${show(place.join('/'))} is a file, not a directory`)
  }
}

type Next =
  | { readonly kind: 'directory'; readonly fd: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'absent' | 'file' | 'changed' }
