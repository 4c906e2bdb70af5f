import { extensionOf } from '../servers/documents.ts'
import type { Position } from '../servers/lsp-words.ts'

/** Tells names that are only imported or exported from those that are used. */
export interface BroughtNames {
  isBrought(position: Position): boolean
  /** Where the other name is that an import gives it: `from m import f as g`. */
  aliasAt(end: Position): Position | undefined
  /** Where the name is that something gets which is taken out of a module: `const { f: g } = await import('m')`. */
  takenAt(start: Position): Position | undefined
}

const JAVASCRIPT = /^[cm]?[jt]sx?$/

export async function broughtNames(path: string, text: string): Promise<BroughtNames> {
  const lines = text.split('\n')
  const extension = extensionOf(path)
  const { isBrought, takenAt } = JAVASCRIPT.test(extension)
    ? await moduleNames(path, text, lines)
    : { isBrought: importLines(lines, extension), takenAt: () => undefined }
  return {
    takenAt,
    isBrought: at => isBrought(at) || isWord(lines, at),
    aliasAt({ line, character }) {
      const found = /^\s+as\s+(?=\w)/.exec((lines[line] ?? '').slice(character))
      return found ? { line, character: character + found[0].length } : undefined
    },
  }
}

/** A name in quotes, one whose type is asked for, or one that is being declared. */
function isWord(lines: readonly string[], { line, character }: Position): boolean {
  return /(["'`]|\b(?:typeof|def|class|function|func|fun|fn)\s+)$/.test((lines[line] ?? '').slice(0, character))
}

async function moduleNames(
  path: string,
  text: string,
  lines: readonly string[],
): Promise<Pick<BroughtNames, 'isBrought' | 'takenAt'>> {
  const { parseSync } = await import('oxc-parser')
  const { staticImports, staticExports } = parseSync(path, text).module
  const spans = [
    ...staticImports.flatMap(({ entries }) => entries.flatMap(one => [one.importName.start, one.localName.start])),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(one => [one.start, one.importName.start, one.localName.start, one.exportName.start]),
    ),
  ]
  const taken = /\bimport\s*\(/.test(text) ? (await import('./taken-names.ts')).takenNames(path, text) : new Map()
  const starts = new Set([...spans, ...taken.keys(), ...taken.values()])
  const offsets = lineOffsets(lines)
  const offsetOf = ({ line, character }: Position): number => (offsets[line] ?? 0) + character
  return {
    isBrought: at => starts.has(offsetOf(at)),
    takenAt(start) {
      const offset = taken.get(offsetOf(start))
      if (offset === undefined) return undefined
      const line = offsets.findLastIndex(each => each <= offset)
      return { line, character: offset - (offsets[line] ?? 0) }
    },
  }
}

function lineOffsets(lines: readonly string[]): number[] {
  let offset = 0
  return lines.map(line => {
    const at = offset
    offset += line.length + 1
    return at
  })
}

const IMPORTS = /^\s*(?:from\s+\S+\s+import\b|import\b|use\b|pub\s+use\b|using\b|#\s*include\b|package\b)/

/** Lines of import statements, which go on to the closing bracket. */
function importLines(lines: readonly string[], extension: string): (at: Position) => boolean {
  const [opening, closing] = extension === 'rs' ? ['{', '}'] : ['(', ')']
  const imports = new Set<number>()
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (!IMPORTS.test(line)) continue
    imports.add(at)
    let isOpen = line.includes(opening) && !line.includes(closing)
    while ((isOpen || lines[at]?.trimEnd().endsWith('\\')) && at + 1 < lines.length) {
      imports.add(++at)
      isOpen &&= !lines[at]?.includes(closing)
    }
  }
  return ({ line }) => imports.has(line)
}
