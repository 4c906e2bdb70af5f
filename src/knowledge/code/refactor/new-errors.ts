import { createHash } from 'node:crypto'
import { isComponentFile, isSameFamily } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import { applySplices } from '../../../machine/text/edit/splice-text.ts'
import { SEVERITY } from '../servers/lsp-schemas.ts'
import type { StagedTexts } from '../servers/staged-texts.ts'
import type { FileEdit } from '../types.ts'
import type { RefactorParts } from './refactor-parts.ts'

/** An error that a server reports. */
export interface NewError {
  readonly path: string
  readonly line: number
  readonly message: string
}

interface ErrorOptions {
  /** A file of the server in question. */
  readonly path: string
  /** Files to check besides the changed ones. */
  readonly also?: readonly string[]
  /** Converts a message from before to its equivalent afterwards. */
  readonly same?: (words: string) => string
  /** Reports whether an error is expected. */
  readonly expected?: (fault: NewError) => boolean
}

/** The staged workspace with edits on top. */
export function editedTexts({ staged, sources }: RefactorParts, edits: readonly FileEdit[]): StagedTexts {
  const texts = new Map(staged.texts)
  const hash = createHash('sha256').update(staged.key)
  for (const edit of edits) {
    if (edit.kind === 'move') continue
    const text = edit.kind === 'create' ? edit.text : applySplices(edit.path, sources(edit.path).text, edit.splices)
    texts.set(edit.path, text)
    hash.update(`${edit.path}\0${text}\0`)
  }
  return { key: hash.digest('hex'), texts }
}

/** Errors that a server reports after edits and did not report before, in the changed files and the named ones. */
export async function newErrors(
  parts: RefactorParts,
  edits: readonly FileEdit[],
  { path, also = [], same = words => words, expected = () => false }: ErrorOptions,
): Promise<readonly NewError[]> {
  // A server judges no configuration, template or component that changes as well.
  const checkedEdits = edits.filter(edit => isSameFamily(edit.path, path) && !isComponentFile(edit.path))
  const errors = await errorsIn([...checkedEdits.map(edit => edit.path), ...also], editedTexts(parts, edits))
  if (errors.length === 0) return []
  const there = checkedEdits.filter(({ kind }) => kind === 'change').map(edit => edit.path)
  // Of the other files only those with errors now need a check of the state before.
  const oldErrors = await errorsIn([...there, ...also.filter(file => errors.some(fault => fault.path === file))])
  // The same message elsewhere is not new: a server that does not know a thing, knows it nowhere.
  const oldMessages = new Set(oldErrors.flatMap(({ message }) => [message, same(message)]))
  return errors.filter(fault => !oldMessages.has(fault.message) && !expected(fault))

  async function errorsIn(paths: readonly string[], texts?: StagedTexts): Promise<readonly NewError[]> {
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

/** Refuses edits that cause errors: `conflict`, with this message. */
export async function ensureNoErrors(
  parts: RefactorParts,
  edits: readonly FileEdit[],
  { what, hint, ...options }: ErrorOptions & { readonly what: string; readonly hint: string },
): Promise<void> {
  const faults = await newErrors(parts, edits, options)
  const [first] = faults
  if (first)
    throw new ToolError('conflict', `${what}: ${first.path}:${first.line}: ${first.message}`, {
      hint,
      details: { faults: faults.slice(0, 20) },
    })
}
