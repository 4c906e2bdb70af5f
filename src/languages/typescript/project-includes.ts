import { posix } from 'node:path'
import { jsonData } from '../javascript/modules/json-text.ts'

/** The part of a project's configuration that selects its files. */
interface Config {
  readonly files?: readonly string[]
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly scripts?: boolean
}

const MOST_EXTENDED = 10
const SCRIPT = /\.[cm]?jsx?$/

/**
 * Returns which files a project includes, as far as its configuration is plain. Missing one does no harm: a file
 * without a known project is opened separately.
 */
export function projectIncludes(config: string, read: (path: string) => string | undefined): (path: string) => boolean {
  const folder = posix.dirname(config)
  const { files, include, exclude = [], scripts } = configAt(config, read, MOST_EXTENDED)
  const within = (pattern: string) => posix.join(folder, pattern)
  const listedFiles = new Set((files ?? []).map(within))
  const includePatterns = (include ?? (files ? [] : ['**/*'])).map(pattern => matcher(within(pattern)))
  const excludePatterns = exclude.map(pattern => matcher(within(pattern)))
  const takesScripts = scripts ?? posix.basename(config) === 'jsconfig.json'
  return path => {
    if (listedFiles.has(path)) return true
    if (SCRIPT.test(path) && !takesScripts) return false
    return includePatterns.some(one => one.test(path)) && !excludePatterns.some(one => one.test(path))
  }
}

function configAt(path: string, read: (path: string) => string | undefined, left: number): Config {
  const config = jsonData(read(path) ?? '') ?? {}
  const base = typeof config['extends'] === 'string' && left > 0 ? baseConfigPath(path, config['extends']) : undefined
  const above = base === undefined ? {} : configAt(base, read, left - 1)
  const rebase = (list: readonly string[] | undefined) =>
    list?.map(pattern => posix.relative(posix.dirname(path), posix.join(posix.dirname(base ?? path), pattern)))
  const { allowJs, checkJs } = Object(config['compilerOptions'])
  const scripts = allowJs ?? checkJs ?? above.scripts
  const files = texts(config['files']) ?? rebase(above.files)
  const include = texts(config['include']) ?? rebase(above.include)
  const exclude = texts(config['exclude']) ?? rebase(above.exclude)
  return {
    ...(files && { files }),
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(typeof scripts === 'boolean' && { scripts }),
  }
}

/** Returns undefined for a package: its configuration is not read. */
function baseConfigPath(path: string, written: string): string | undefined {
  if (!/^\.\.?\//.test(written)) return undefined
  return posix.join(posix.dirname(path), written.endsWith('.json') ? written : `${written}.json`)
}

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string') : undefined

/** A directory includes everything below it. */
function matcher(pattern: string): RegExp {
  const whole = /[*?]/.test(pattern.slice(pattern.lastIndexOf('/') + 1)) || /\.\w+$/.test(pattern)
  const words = pattern
    .replace(/\/$/, '')
    .split('/')
    .map(part => {
      if (part === '**') return '(?:[^/]+/)*'
      return `${part
        .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '[^/]*')
        .replaceAll('?', '[^/]')}/`
    })
  const source = words.join('').replace(/\/$/, '').replace(/^\.\//, '')
  return new RegExp(whole ? `^${source}$` : `^${source}(?:/|$)`)
}
