import { isScript } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import { decode } from '../../model/decode.ts'
import { readWhole } from '../../../machine/workspace/disk.ts'
import { show } from '../../../machine/workspace/path.ts'
import { createView } from '../../../machine/workspace/view.ts'
import type { CodeParts } from '../code-parts.ts'
import { projectOf } from '../resolve/project.ts'
import { parsedModel } from '../../model/parse-model.ts'
import type { FileModel, ImportBinding } from '../../../languages/file-model/file-model.ts'
import { declaredOf } from '../syntactic/declared-of.ts'
import type { CodeContext, Declared, Import } from '../types.ts'
import { readRefused } from '../../../machine/workspace/read-refused.ts'

type ContextParts = Pick<CodeParts, 'root' | 'staging' | 'mayRead' | 'conceal'>

/** Larger files are no source code that anyone reads line by line. */
const LARGEST = 10 * 1024 * 1024

/** The code around a line as staged: the enclosing function, and the imports that it uses. */
export async function codeContext(
  parts: ContextParts,
  path: string,
  line: number,
  { around }: { readonly around: number },
): Promise<CodeContext> {
  const { rel, text } = read(parts, path)
  const conceal = parts.conceal?.()
  const whole = Buffer.from(text)
  const lines = (conceal ? conceal.part(whole, 0, whole.length).toString() : text).split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  const lineText = lines[line - 1]
  if (lineText === undefined)
    throw new ToolError('out_of_range', `${show(rel)} has ${lines.length} lines, and no line ${line}`, {
      hint: lines.length > 0 ? `Ask for a line between 1 and ${lines.length}` : 'The file is empty',
      details: { totalLines: lines.length, line },
    })
  const from = Math.max(0, line - 1 - around)
  const { code, unparsed } = await parsedModel(rel, whole)
  const enclosing = code && enclosingFunction(rel, code, line)
  const shownLines = lines.slice(from, line + around)
  return {
    path: rel,
    line,
    before: lines.slice(from, line - 1).join('\n'),
    text: lineText,
    after: lines.slice(line, line + around).join('\n'),
    ...(enclosing && { enclosing }),
    ...(unparsed !== undefined && { unparsed }),
    imports: code ? usedImports(code, shownLines, from + 1) : [],
  }
}

function read({ root, staging, mayRead }: ContextParts, path: string): { readonly rel: string; readonly text: string } {
  const view = createView(root, staging)
  const { rel, bytes } = view.look(path, {}, ({ located, seen, type }) => {
    if (type === 'absent')
      throw new ToolError('not_found', `${show(path)} does not exist`, { hint: 'Look for it with find' })
    if (type !== 'file') throw new ToolError('not_a_file', `${show(path)} is not a file`)
    if (!mayRead(located.rel)) throw readRefused(path)
    if (seen.type === 'file') return { rel: located.rel, bytes: view.bytes(seen) }
    const size = Number(located.stats?.size ?? 0)
    if (size > LARGEST) throw tooLarge(located.rel, size)
    return { rel: located.rel, bytes: readWhole(root, located).bytes }
  })
  if (bytes.length > LARGEST) throw tooLarge(rel, bytes.length)
  const text = decode(bytes)
  if (!text.slice(0, 8192).includes('\0')) return { rel, text }
  throw new ToolError('binary', `${show(rel)} is not text`, { hint: 'Ask about a source file' })
}

const tooLarge = (path: string, bytes: number): ToolError =>
  new ToolError('too_large', `${show(path)} is too large: ${bytes} bytes, at most ${LARGEST}`, {
    hint: 'Read the lines that matter instead',
  })

/** The innermost function or method around the line. */
function enclosingFunction(path: string, code: FileModel, line: number): Declared | undefined {
  const inner = code.symbols
    .map((symbol, number) => ({ symbol, number }))
    .filter(({ symbol: { kind, from, to } }) => /^(function|method)$/.test(kind) && from <= line && to >= line)
    // Of those on the same lines the last one is the innermost.
    .toSorted((one, other) => span(one.symbol) - span(other.symbol) || other.number - one.number)[0]
  const file = inner && projectOf([[path, code]]).files.get(path)
  return file && declaredOf({ file, number: inner.number })
}

const span = ({ from, to }: { readonly from: number; readonly to: number }): number => to - from

const WORD = /[\p{L}\p{N}_$]+/gu

/** The imports whose names these lines use, and those with unknown names. */
function usedImports({ language, imports }: FileModel, shown: readonly string[], first: number): readonly Import[] {
  const importing = new Set(imports.map(({ line }) => line))
  const usedNames = new Set(shown.flatMap((text, at) => (importing.has(first + at) ? [] : (text.match(WORD) ?? []))))
  const isUsed = ({ local }: ImportBinding) => (local === '' ? !isScript(language) : usedNames.has(local))
  const statements = Map.groupBy(imports.filter(isUsed), ({ module, line }) => `${line} ${module}`)
  return [...statements.values()].flatMap(each => {
    const [one] = each
    if (!one) return []
    return { module: one.module, names: each.map(({ local }) => (local === '' ? '*' : local)), line: one.line }
  })
}
