import { createHash } from 'node:crypto'
import { ToolError } from '../../../kernel/error.ts'
import { spliced } from '../../../machine/text/edit/splice-text.ts'
import { isComponentFile } from '../../model/languages.ts'
import { SEVERITY } from '../servers/lsp-schemas.ts'
import type { StagedTexts } from '../servers/staged-texts.ts'
import type { FileEdit } from '../types.ts'
import { isSameFamily, type RefactorParts } from './refactor-parts.ts'

/** Something that a server finds wrong. */
export interface NewError {
  readonly path: string
  readonly line: number
  readonly message: string
}

interface FaultOptions {
  /** A file of the server that is asked. */
  readonly path: string
  /** Files besides those that change. */
  readonly also?: readonly string[]
  /** Makes words of before into those that say the same afterwards. */
  readonly same?: (words: string) => string
  /** What is no fault, going by its own words. */
  readonly expected?: (fault: NewError) => boolean
}

/** The workspace as staged with edits made on top of it. */
export function editedTexts({ staged, sources }: RefactorParts, edits: readonly FileEdit[]): StagedTexts {
  const texts = new Map(staged.texts)
  const hash = createHash('sha256').update(staged.key)
  for (const edit of edits) {
    if (edit.kind === 'move') continue
    const text = edit.kind === 'create' ? edit.text : spliced(edit.path, sources(edit.path).text, edit.splices)
    texts.set(edit.path, text)
    hash.update(`${edit.path}\0${text}\0`)
  }
  return { key: hash.digest('hex'), texts }
}

/** What a server finds wrong in the files that edits change, and in others that are named, and did not find before. */
export async function newErrors(
  parts: RefactorParts,
  edits: readonly FileEdit[],
  { path, also = [], same = words => words, expected = () => false }: FaultOptions,
): Promise<readonly NewError[]> {
  // A server judges no configuration, template or component that changes along.
  const judged = edits.filter(edit => isSameFamily(edit.path, path) && !isComponentFile(edit.path))
  const found = await faultsIn([...judged.map(edit => edit.path), ...also], editedTexts(parts, edits))
  if (found.length === 0) return []
  const there = judged.filter(({ kind }) => kind === 'change').map(edit => edit.path)
  // Of the others only those can have been wrong before that are now.
  const known = await faultsIn([...there, ...also.filter(file => found.some(fault => fault.path === file))])
  // The same words in another place are no news: what a server does not know, it does not know anywhere.
  const told = new Set(known.flatMap(({ message }) => [message, same(message)]))
  return found.filter(fault => !told.has(fault.message) && !expected(fault))

  async function faultsIn(paths: readonly string[], texts?: StagedTexts): Promise<readonly NewError[]> {
    return parts.ask(
      path,
      async ({ server }) => {
        if (!server.can('diagnostic')) return []
        const faults: NewError[] = []
        for (const file of new Set(paths))
          for (const { message, range, severity } of await server.diagnostics(file))
            if (severity === undefined || severity === SEVERITY.error)
              faults.push({ path: file, line: range.start.line + 1, message })
        return faults
      },
      texts,
    )
  }
}

/** Refuses edits that make something wrong: `conflict`, with these words. */
export async function demandNoErrors(
  parts: RefactorParts,
  edits: readonly FileEdit[],
  { what, hint, ...options }: FaultOptions & { readonly what: string; readonly hint: string },
): Promise<void> {
  const faults = await newErrors(parts, edits, options)
  const [first] = faults
  if (first)
    throw new ToolError('conflict', `${what}: ${first.path}:${first.line}: ${first.message}`, {
      hint,
      details: { faults: faults.slice(0, 20) },
    })
}
