import { posix } from 'node:path'
import { isPython, isScripted, type RefactorParts } from '../refactor-parts.ts'
import { fixedParts } from './computed-names.ts'
import { filesWith } from './find-occurrences.ts'

/** A place that loads a module, or finds a file, by a computed path or name. */
export interface ComputedImport {
  readonly start: number
  readonly end: number
  /** The fixed start and end of the path or name. */
  readonly prefix: string
  readonly suffix: string
  readonly isGlob: boolean
}

const SCRIPT =
  /\b(?:import|require|glob|resolve|URL)\s*\(\s*(?:\/\*[^]*?\*\/\s*)*(?:`(?<template>[^`$]*)\$\{(?<after>[^`]*)`|(?<quote>['"])(?<text>[^'"]*)\k<quote>\s*\+|['"`](?<glob>[^'"`]*\*[^'"`]*)['"`])/g
/** `import(name)`: nothing of the path is known. */
const SCRIPT_NAME = /(?<!\bfunction\s+|[.\w$])(?:import|require)\s*\(\s*(?:await\s+)?[\p{ID_Start}$_(]/gu
const PYTHON =
  /(?<!\bdef\s+)\b(?:(?<file>spec_from_file_location|SourceFileLoader|run_path)|import_module|__import__|run_module|resolve_name)\s*\(\s*(?:name\s*=\s*)?/g
const PYTHON_WORDS = [
  'import_module',
  '__import__',
  'run_module',
  'run_path',
  'resolve_name',
  'spec_from_file',
  'SourceFileLoader',
]
const SCRIPT_WORDS = ['import(', 'require(', 'glob(']
const COMMENTED = /^\s*(?:\/\/|\*|\/\*|#)/
export const ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/

/** The computed paths in a script that have a fixed part. */
export const computedPaths = (text: string): readonly ComputedImport[] =>
  Array.from(text.matchAll(SCRIPT), ({ index, 0: whole, groups = {} }) => {
    const { template, text: begin, glob, after = '' } = groups
    return {
      start: index,
      end: index + whole.length,
      prefix: template ?? begin ?? glob?.replace(/[^/]*\*.*$/, '') ?? '',
      suffix: after.slice(after.lastIndexOf('}') + 1),
      isGlob: glob !== undefined,
    }
  })

/** Reports whether a path relative to a script may be that of a file. */
export function mayReach(script: string, { prefix, suffix }: ComputedImport, path: string): boolean {
  const begin = prefix.startsWith('.') ? posix.join(posix.dirname(script), prefix).replace(/^\.?\/?$/, '') : ''
  const end = suffix.replace(ENDING, '')
  return path.startsWith(begin) && (end === '' || path.replace(ENDING, '').endsWith(end) || path.endsWith(end))
}

/** Reports whether any file loads modules by computed names that may be this one's. */
export async function isLoadedByName(
  parts: RefactorParts,
  path: string,
  isOurs: (path: string, module: string) => Promise<boolean>,
): Promise<boolean> {
  const isLike = isPython(path) ? isPython : isScripted
  const files = await Promise.all((isPython(path) ? PYTHON_WORDS : SCRIPT_WORDS).map(word => filesWith(parts, word)))
  for (const file of new Set(files.flat())) {
    if (!isLike(file) || !parts.mayRead(file)) continue
    const { text } = parts.sources(file)
    for (const each of isPython(path) ? pythonImports(text) : [...computedPaths(text), ...namedPaths(text)]) {
      if (COMMENTED.test(text.slice(text.lastIndexOf('\n', each.start) + 1, each.start + 2))) continue
      if (isPython(path) ? mayName(each, path) : mayReach(file, each, path) && (await isOwn(file, each))) return true
    }
  }
  return false

  /** A module of a package outside of the workspace is none of ours. */
  async function isOwn(file: string, { prefix }: ComputedImport): Promise<boolean> {
    return prefix === '' || /^\w+:/.test(prefix) || isOurs(file, prefix)
  }
}

const namedPaths = (text: string): readonly ComputedImport[] =>
  Array.from(text.matchAll(SCRIPT_NAME), ({ index, 0: { length } }) => anyModule(index, index + length))

const anyModule = (start: number, end: number): ComputedImport => ({
  start,
  end,
  prefix: '',
  suffix: '',
  isGlob: false,
})

/** Those of Python, and those of a whole name, which no import statement shows. */
const pythonImports = (text: string): readonly ComputedImport[] =>
  Array.from(text.matchAll(PYTHON), ({ index, 0: { length }, groups = {} }) => {
    const any = anyModule(index, index + length)
    if (groups['file'] !== undefined) return any
    const name = text.slice(any.end, any.end + 300)
    const [, , whole] = /^(["'])([\w.]*)\1\s*[,)]/.exec(name) ?? []
    return { ...any, ...(whole === undefined ? fixedParts(name) : { prefix: whole }) }
  })

/** Reports whether the dotted name of a module of Python may be that of a file, from any folder above it. */
function mayName({ prefix, suffix }: ComputedImport, path: string): boolean {
  const parts = path.replace(/(?:\/__init__)?\.pyi?$/, '').split('/')
  const begin = prefix.replace(/^\.+/, '')
  return parts.some((_, at) => {
    const name = parts.slice(at).join('.')
    return name.length >= begin.length + suffix.length && name.startsWith(begin) && name.endsWith(suffix)
  })
}
