import { join } from 'node:path'
import { oncePer } from '../../kernel/once.ts'

const CPP = new Set(['cc', 'cpp', 'cxx'])
const HEADERS = new Set(['h', 'hh', 'hpp', 'hxx'])
/** Files in which clangd looks for build settings, in every folder above a file. */
const WRITTEN = ['compile_commands.json', 'build/compile_commands.json', 'compile_flags.txt', 'build/compile_flags.txt']
const MOST_FOLDERS = 200
/** A compiler stops after about twenty errors, so that one more error would hide another. */
const ALL_ERRORS = ['-ferror-limit=0']

/**
 * Compile commands for files without a build: the server only reads files that have a command. The include path
 * contains every folder with headers.
 */
export function cCommands(
  files: readonly string[],
  root: string,
  exists: (file: string) => boolean,
): Readonly<Record<string, unknown>> {
  const isWritten = oncePer((folder: string) => WRITTEN.some(name => exists(join(root, folder, name))))
  const filesWithoutCommands = files.filter(path => !foldersAbove(path).some(isWritten))
  const flags = headerFolders(files).map(
    ({ folder, isOfSystem }) => `${isOfSystem ? '-iquote' : '-I'}${join(root, folder)}`,
  )
  const kinds = new Set(files.map(extensionOf))
  const commands = filesWithoutCommands.flatMap(path => {
    const kind = kindOf(extensionOf(path), kinds)
    if (kind === undefined) return []
    const file = join(root, path)
    const compilationCommand = ['clang', `-x${kind}`, ...ALL_ERRORS, ...flags, '-c', file]
    return [[file, { workingDirectory: root, compilationCommand }] as const]
  })
  return { fallbackFlags: flags, compilationDatabaseChanges: Object.fromEntries(commands) }
}

const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** A plain header belongs to the only language present; with both present its language is unknown. */
function kindOf(extension: string, among: ReadonlySet<string>): string | undefined {
  if (extension === 'c') return 'c'
  if (CPP.has(extension)) return 'c++'
  if (extension !== 'h') return HEADERS.has(extension) ? 'c++-header' : undefined
  const isCpp = [...among].some(each => CPP.has(each) || (each !== 'h' && HEADERS.has(each)))
  if (!isCpp) return 'c-header'
  return among.has('c') ? undefined : 'c++-header'
}

/** Excludes folders with a header named like a system header, which it must not replace. */
function headerFolders(files: readonly string[]) {
  const headers = files.filter(path => HEADERS.has(extensionOf(path)))
  const ofSystem = new Set(headers.flatMap(path => (SYSTEM.test(path) ? [path.replace(SYSTEM, '')] : [])))
  const folders = [...new Set(headers.flatMap(foldersAbove))].toSorted().slice(0, MOST_FOLDERS)
  return folders.map(folder => ({ folder, isOfSystem: ofSystem.has(folder) }))
}

const SYSTEM =
  /(?:^|\/)(?:(?:sys|net|netinet|arpa|bits|asm|linux)\/\w+|assert|complex|ctype|dirent|dlfcn|errno|fcntl|features|fenv|float|getopt|grp|inttypes|iso646|langinfo|limits|locale|malloc|math|memory|netdb|poll|pthread|pwd|regex|sched|search|semaphore|setjmp|signal|spawn|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|strings|syslog|termios|tgmath|threads|time|uchar|unistd|utime|values|wchar|wctype)\.h$/

/** The folder of a file and those above it, up to the workspace itself. */
function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('/')), '']
}
