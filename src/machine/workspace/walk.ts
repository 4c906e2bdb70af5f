import type { BigIntStats } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { diskError, errnoOf } from './disk-error.ts'
import type { FollowedLink, ResolvedPath, ResolveOptions } from './resolved-path.ts'
import { nameFromBytes, onDisk } from './name.ts'
import { segmentsOf, show } from './path.ts'
import type { Sys } from './sys.ts'

const MOST_LINKS = 40
const NO_LINKS: readonly FollowedLink[] = []
/** Far above any honest path. Limits the work that `..` and links can cause, and the retries under a race. */
const MOST_STEPS = 20_000

/** Start of the walk. */
interface Start {
  readonly fd: number
  readonly sys: Sys
  readonly path: string
  /** Returns absolute segments relative to the root, or undefined if they lie outside. */
  inside(absolute: readonly string[]): string[] | undefined
}

/**
 * The only walk from a path to a place: name by name through held directories, never following a link in the kernel.
 * Reads a link and walks its text like any other path, so that nothing outside can be reached under any swap.
 */
export const walk = (
  root: Start,
  requestedPath: string,
  segments: readonly string[],
  options: ResolveOptions,
): ResolvedPath => new Walk(root, requestedPath, segments, options).run()

class Walk {
  readonly #root: Start
  readonly #sys: Sys
  readonly #asked: string
  readonly #overlay: ResolveOptions['overlay']
  readonly #link: boolean
  readonly #pending: string[]
  /** Canonical names from the root to the current directory; the last `missing` of them are not on disk. */
  #place: string[] = []
  #missing = 0
  /** The current directory exists neither on disk nor staged. */
  #lost = false
  #fd: number
  #links: readonly FollowedLink[] = NO_LINKS
  #steps = 0

  constructor(root: Start, asked: string, segments: readonly string[], { overlay, link = false }: ResolveOptions) {
    this.#root = root
    this.#sys = root.sys
    this.#asked = asked
    this.#overlay = overlay
    this.#link = link
    this.#pending = segments.toReversed()
    this.#fd = root.fd
  }

  run(): ResolvedPath {
    try {
      for (;;) {
        if (++this.#steps > MOST_STEPS)
          throw new ToolError('invalid_input', `The path ${show(this.#asked)} takes too long to resolve`)
        const segment = this.#pending.pop()
        if (segment === undefined) {
          if (this.#place.length === 0) return this.#located(undefined, undefined, true)
          this.#restart(this.#place)
          continue
        }
        if (segment === '.') continue
        if (segment === '..') {
          this.#climb()
          continue
        }
        let directory = false
        for (; this.#pending.at(-1) === '.'; this.#pending.pop()) directory = true
        const last = this.#pending.length === 0
        const stagedKind = this.#overlay?.([...this.#place, segment].join('/'))

        if (typeof stagedKind === 'object') {
          if (last && this.#link && !directory) return this.#located(segment, this.#lstat(segment), directory)
          this.#follow(segment, stagedKind.target, directory)
          continue
        }
        if (last) {
          const stats = this.#lstat(segment)
          if (stagedKind === undefined && stats?.isSymbolicLink() && (!this.#link || directory)) {
            const target = this.#readLink(segment)
            if (target === undefined) this.#pending.push(segment)
            else this.#follow(segment, target, directory)
            continue
          }
          const isDirectory = stagedKind === undefined ? stats?.isDirectory() !== false : stagedKind !== 'file'
          if (directory && !isDirectory) throw this.#notDirectory(segment)
          return this.#located(segment, stats, directory)
        }
        if (stagedKind === 'file') throw this.#notDirectory(segment)
        if (stagedKind === 'absent' || this.#missing > 0) {
          this.#enterMissing(segment, stagedKind === 'directory')
          continue
        }
        const next = this.#openDirectory(segment)
        if (next.kind === 'directory') {
          this.#release()
          this.#fd = next.fd
          this.#place.push(segment)
        } else if (next.kind === 'absent' || stagedKind === 'directory')
          this.#enterMissing(segment, stagedKind === 'directory')
        else if (next.kind === 'link') this.#follow(segment, next.target, false)
        else if (next.kind === 'changed') this.#pending.push(segment)
        else throw this.#notDirectory(segment)
      }
    } catch (error) {
      this.#release()
      throw diskError(error, this.#asked)
    }
  }

  #located(name: string | undefined, stats: BigIntStats | undefined, directory: boolean): ResolvedPath {
    const heldDirectory = this.#fd
    const rel = name === undefined ? '.' : [...this.#place, name].join('/')
    const missingNames = this.#missing === 0 ? [] : this.#place.slice(-this.#missing)
    let open = heldDirectory !== this.#root.fd
    const free = () => {
      if (open) this.#sys.close(heldDirectory)
      open = false
    }
    return { rel, dir: heldDirectory, name, missing: missingNames, stats, directory, links: this.#links, release: free }
  }

  #release(): void {
    if (this.#fd !== this.#root.fd) this.#sys.close(this.#fd)
    this.#fd = this.#root.fd
  }

  /** Begins again at the root with canonical names before whatever is pending. */
  #restart(names: readonly string[]): void {
    this.#release()
    this.#pending.push(...names.toReversed())
    this.#place = []
    this.#missing = 0
    this.#lost = false
  }

  #climb(): void {
    if (this.#lost) throw this.#endsOutside(this.#place.length - 1) ? this.#outside() : this.#notFound()
    if (this.#place.length === 0) {
      // Above the root only names count: a path may leave by its own spelling and come back, nothing is opened there.
      const above = this.#root.path.split('/').filter(name => name !== '')
      const rest = this.#root.inside([...above.slice(0, -1), ...this.#pending.toReversed()])
      if (rest === undefined) throw this.#outside()
      this.#pending.splice(0, this.#pending.length, ...rest.toReversed())
      return
    }
    this.#place.pop()
    while (this.#pending.at(-1) === '..' && this.#place.length > 0) {
      this.#pending.pop()
      this.#place.pop()
    }
    this.#restart(this.#place)
  }

  #follow(segment: string, target: string, directory: boolean): void {
    const rest = this.#pending.filter(name => name !== '.').toReversed()
    this.#links = [...this.#links, { at: [...this.#place, segment].join('/'), rest: rest.join('/') }]
    if (this.#links.length > MOST_LINKS)
      throw new ToolError('invalid_input', `${show(this.#asked)} goes through more than ${MOST_LINKS} links`, {
        hint: 'The links probably point at each other.',
      })
    if (directory) this.#pending.push('.')
    const names = segmentsOf(target)
    if (!target.startsWith('/')) {
      this.#pending.push(...names.toReversed())
      return
    }
    const inside = this.#root.inside(names)
    if (inside === undefined) throw this.#outside()
    this.#restart([])
    this.#pending.push(...inside.toReversed())
  }

  #enterMissing(segment: string, staged: boolean): void {
    this.#place.push(segment)
    this.#missing++
    this.#lost = !staged
  }

  #lstat(segment: string): BigIntStats | undefined {
    return this.#missing > 0 ? undefined : this.#sys.lstat(this.#fd, onDisk(segment))
  }

  #openDirectory(segment: string): Next {
    try {
      return { kind: 'directory', fd: this.#sys.openDirectory(this.#fd, onDisk(segment)) }
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === 'ENOENT') return { kind: 'absent' }
      if (errno !== 'ENOTDIR') throw error
    }
    const target = this.#readLink(segment)
    if (target !== undefined) return { kind: 'link', target }
    const stats = this.#lstat(segment)
    return { kind: stats === undefined || stats.isDirectory() || stats.isSymbolicLink() ? 'changed' : 'file' }
  }

  /** Undefined if it is not, or no longer, a link. */
  #readLink(segment: string): string | undefined {
    try {
      return nameFromBytes(this.#sys.readlink(this.#fd, onDisk(segment)))
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === 'EINVAL' || errno === 'ENOENT') return undefined
      throw error
    }
  }

  /** True if the rest of a path that cannot be walked would, by its names, leave the root. */
  #endsOutside(from: number): boolean {
    let depth = from
    for (const name of this.#pending.toReversed()) {
      depth += name === '..' ? -1 : name === '.' ? 0 : 1
      if (depth < 0) return true
    }
    return false
  }

  #outside(): ToolError {
    return new ToolError('outside_workspace', `${show(this.#asked)} is outside the workspace`, {
      hint: 'Use a path inside the workspace; links that lead out of it are not followed.',
    })
  }

  #notFound(): ToolError {
    return new ToolError('not_found', `${show(this.#place.join('/'))} does not exist, so '..' after it means nothing`)
  }

  #notDirectory(segment: string): ToolError {
    this.#place.push(segment)
    if (this.#endsOutside(this.#place.length)) return this.#outside()
    return new ToolError('not_a_directory', `${show(this.#place.join('/'))} is a file, not a directory`)
  }
}

type Next =
  | { readonly kind: 'directory'; readonly fd: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'absent' | 'file' | 'changed' }
