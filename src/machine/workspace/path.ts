import { ToolError } from '../../kernel/error.ts'
import { nameToBytes } from './name.ts'
import { once } from '../../kernel/once.ts'

const LONGEST_NAME = 255
const LONGEST_PATH = 4096
/** Far above any honest path: a walk takes each name in turn, and a new path is walked once for each of its directories. */
const MOST_NAMES = 200

/**
 * Splits a caller's path into segments relative to the root. `..` stays, because only a walk knows its meaning after a
 * link; a last `.` stays if the path asks for a directory. Decodes, expands and normalizes nothing.
 */
export function parsePath(path: string, rootPath: string): string[] {
  // Paths come from models, so the type is not guaranteed.
  if (typeof path !== 'string') throw new ToolError('invalid_input', `A path must be a string, not ${kindOf(path)}`)
  if (path === '')
    throw new ToolError('invalid_input', 'The path is empty', { hint: "Use '.' for the workspace itself." })
  if (path.includes('\0')) throw new ToolError('invalid_input', `The path ${show(path)} contains a NUL character`)
  if (path.length > LONGEST_PATH || Buffer.byteLength(path) > LONGEST_PATH)
    throw new ToolError('invalid_input', `The path ${show(path)} is longer than ${LONGEST_PATH} bytes`)
  const segments = segmentsOf(path)
  ensureFewNames(path, segments)
  checkNames(path, segments)
  if (!path.startsWith('/')) return segments
  return below(segments, rootPath) ?? fail(path)
}

/**
 * Returns the rest of absolute segments once they enter the root, compared by name only, or undefined if they never do.
 * The result is walked from the root, so it cannot leave it.
 */
export function below(absolute: readonly string[], rootPath: string): string[] | undefined {
  const root = rootPath.split('/').filter(name => name !== '')
  const place: string[] = []
  for (const [index, segment] of absolute.entries()) {
    if (place.length === root.length && place.every((name, at) => name === root[at])) return absolute.slice(index)
    if (segment === '..') place.pop()
    else if (segment !== '.') place.push(segment)
  }
  return place.length === root.length && place.every((name, at) => name === root[at]) ? [] : undefined
}

/** Splits without judging. Drops empty segments and inner dots; a last dot or slash means a directory. */
export function segmentsOf(path: string): string[] {
  const all = path.split('/')
  const segments = all.filter(name => name !== '' && name !== '.')
  const last = all.at(-1)
  if ((last === '' || last === '.') && segments.length > 0 && segments.at(-1) !== '..') segments.push('.')
  return segments
}

/** Refuses a path that leads through too many directories. */
export function ensureFewNames(path: string, names: readonly string[]): void {
  if (names.length <= MOST_NAMES) return
  const shortPath = show(`${path.slice(0, 100)}…`)
  throw new ToolError('invalid_input', `The path ${shortPath} has more than ${MOST_NAMES} names`, {
    hint: `Use at most ${MOST_NAMES} directories below each other. Change or remove a deeper tree with a program of your own.`,
  })
}

/** Joins a canonical directory and a name below it; `.` is the root. */
export const join = (directory: string, name: string): string => (directory === '.' ? name : `${directory}/${name}`)

/** Returns the parent of a canonical path. */
export const parentOf = (path: string): string => {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : path.slice(0, slash)
}

/** Reports whether the walk could have returned this path: relative, no dots, no empty or over-long names. */
export const isCanonical = (path: string): boolean =>
  path !== '' &&
  !path.includes('\0') &&
  path
    .split('/')
    .every(
      name => name !== '' && name !== '.' && name !== '..' && (nameToBytes(name)?.length ?? Infinity) <= LONGEST_NAME,
    )

/** Formats a path for a message: one line, cut, without terminal control characters. */
export function show(path: string): string {
  const cut = path.length > 200 ? `${path.slice(0, 200)}…` : path
  if (PRINTABLE.test(cut)) return `'${cut}'`
  return `'${cut.replace(unprintable(), character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)}'`
}

const PRINTABLE = /^[\x20-\x7e]*$/
const unprintable = once(() => new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]`, 'gu'))

function checkNames(path: string, segments: readonly string[]): void {
  for (const segment of segments) {
    const bytes = segment.length > LONGEST_NAME ? segment.length : byteLength(segment)
    if (bytes === undefined)
      throw new ToolError('invalid_input', `The path ${show(path)} is not text that names a file`)
    if (bytes > LONGEST_NAME)
      throw new ToolError('invalid_input', `A name in the path ${show(path)} is longer than ${LONGEST_NAME} bytes`)
  }
}

const byteLength = (name: string): number | undefined =>
  name.isWellFormed() ? Buffer.byteLength(name) : nameToBytes(name)?.length

function fail(path: string): never {
  throw new ToolError('outside_workspace', `${show(path)} is outside the workspace`, {
    hint: 'Use a path relative to the workspace.',
  })
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`

/** Reports whether a canonical path belongs to the repository of the workspace. */
export const isRepositoryPath = (path: string): boolean => path === '.git' || path.startsWith('.git/')

/** Returns paths with one name for everything in the repository. */
export const withoutRepositoryFiles = (paths: readonly string[]): string[] => [
  ...new Set(paths.map(path => (isRepositoryPath(path) ? '.git' : path))),
]
