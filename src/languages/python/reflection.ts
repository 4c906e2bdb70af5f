import { computedNames, fixedParts } from './computed-names.ts'
import { anyModule, type ComputedImport, type Reflection } from '../reflection.ts'

const LOADS =
  /(?<!\bdef\s+)\b(?:(?<file>spec_from_file_location|SourceFileLoader|run_path)|import_module|__import__|run_module|resolve_name)\s*\(\s*(?:name\s*=\s*)?/g
const HOLDS = /\bimportlib\b|\b__import__\s*\(|\bsys\.modules\b|^[ \t]*import\s|\bimport\s*\*/m

/** Reports whether the dotted name of a module may be that of a file, from any folder above it. */
function mayName({ prefix, suffix }: ComputedImport, path: string): boolean {
  const parts = path.replace(/(?:\/__init__)?\.pyi?$/, '').split('/')
  const begin = prefix.replace(/^\.+/, '')
  return parts.some((_, at) => {
    const name = parts.slice(at).join('.')
    return name.length >= begin.length + suffix.length && name.startsWith(begin) && name.endsWith(suffix)
  })
}

export const reflection: Reflection = {
  ownLookups: /\b(?:globals|vars|eval|exec|locals)\s*\(|\bsys\.modules\b|\b__dict__\b/,
  holdsModule: stem => new RegExp(`${HOLDS.source}|import\\s[^#\\n]*\\b${stem}\\b`, 'm'),
  folderModule: '__init__',
  firstStep: /^[^.]*/,
  classNames: /\b__class__\.__(?:qual)?name__|\btype\([^()]*\)\.__(?:qual)?name__/g,
  memberNames:
    /\b(?:asdict|_asdict|vars|model_dump|model_dump_json)\s*\(|\.__dict__\b|\.__annotations__\b|\b__slots__\b/g,
  enumeration: owner => ({
    declares: new RegExp(`\\bclass\\s+${owner}\\s*\\([^)]*(?:Enum|Flag)`),
    reads: new RegExp(`\\b${owner}\\b`, 'g'),
  }),
  ownName: /^\.__(?:qual)?name__\b/,
  decorator: { declares: name => `def ${name}(`, reads: /__(?:qual)?name__/ },
  collectedTests: /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/,
  computedNames,
  loaderWords: [
    'import_module',
    '__import__',
    'run_module',
    'run_path',
    'resolve_name',
    'spec_from_file',
    'SourceFileLoader',
  ],
  // Also those of a whole name, which no import statement shows.
  computedImports: text =>
    Array.from(text.matchAll(LOADS), ({ index, 0: { length }, groups = {} }) => {
      const any = anyModule(index, index + length)
      if (groups['file'] !== undefined) return any
      const name = text.slice(any.end, any.end + 300)
      const [, , whole] = /^(["'])([\w.]*)\1\s*[,)]/.exec(name) ?? []
      return { ...any, ...(whole === undefined ? fixedParts(name) : { prefix: whole }) }
    }),
  mayLoad: (_from, place, path) => mayName(place, path),
}
