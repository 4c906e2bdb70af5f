import { createHash } from 'node:crypto'
import { spliced } from '../../../machine/text/edit/splice-text.ts'
import type { CodeParts } from '../code-parts.ts'
import type { Deadline } from '../servers/deadline.ts'
import { SEVERITY } from '../servers/lsp-words.ts'
import { stagedTexts, type StagedTexts } from '../servers/staged-texts.ts'
import type { FileEdit } from '../types.ts'
import type { Sources } from '../source.ts'
import { languageOf } from '../../model/languages.ts'
import { isSameFamily } from './occurrences/judge.ts'

/** Something that a server finds wrong. */
export interface Fault {
  readonly path: string
  readonly line: number
  readonly message: string
}

/** The workspace as staged with edits made on top of it. */
export function editedTexts(parts: CodeParts, sources: Sources, edits: readonly FileEdit[]): StagedTexts {
  const before = stagedTexts(parts.root, parts.staging)
  const texts = new Map(before.texts)
  const hash = createHash('sha256').update(before.key)
  for (const edit of edits) {
    if (edit.kind === 'move') continue
    const text = edit.kind === 'create' ? edit.text : spliced(edit.path, sources(edit.path).text, edit.splices)
    texts.set(edit.path, text)
    hash.update(`${edit.path}\0${text}\0`)
  }
  return { key: hash.digest('hex'), texts }
}

/**
 * What a server finds wrong in the files that edits change, and in others that are named, and did not find before. `same`
 * makes words of before into those that say the same afterwards.
 */
export async function newFaults(
  parts: CodeParts,
  sources: Sources,
  edits: readonly FileEdit[],
  { path, deadline, also = [], same = words => words, expected = () => false }: NewFaultOptions,
): Promise<readonly Fault[]> {
  // A server judges no configuration, template or component that changes along.
  const all = edits.map(edit => edit.path).filter(each => isSameFamily(each, path) && languageOf(each) !== 'vue')
  const edited = editedTexts(parts, sources, edits)
  const found = await faultsIn(parts, path, edited, [...new Set([...all, ...also])], deadline)
  const there = edits
    .filter(({ kind }) => kind === 'change')
    .map(edit => edit.path)
    .filter(each => all.includes(each))
  // Of the others only those can have been wrong before that are now.
  const wrong = also.filter(file => found.some(fault => fault.path === file))
  const before = stagedTexts(parts.root, parts.staging)
  const known =
    found.length === 0 ? [] : await faultsIn(parts, path, before, [...new Set([...there, ...wrong])], deadline)
  // The same words in another place are no news: what a server does not know, it does not know anywhere.
  const told = new Set(known.flatMap(({ message }) => [message, same(message)]))
  return found.filter(fault => !told.has(fault.message) && !expected(fault))
}

export interface NewFaultOptions {
  /** A file of the server that is asked. */
  readonly path: string
  readonly deadline: Deadline
  /** Files besides those that change. */
  readonly also?: readonly string[]
  readonly same?: (words: string) => string
  /** What is no fault, going by its own words. */
  readonly expected?: (fault: Fault) => boolean
}

async function faultsIn(
  parts: CodeParts,
  path: string,
  staged: StagedTexts,
  paths: readonly string[],
  deadline: Deadline,
): Promise<Fault[]> {
  return parts.servers.ask(path, staged, deadline, async server => {
    if (!server.can('diagnostic')) return []
    const found: Fault[] = []
    for (const file of paths)
      for (const { message, range, severity } of await server.diagnostics(file))
        if (severity === undefined || severity === SEVERITY.error)
          found.push({ path: file, line: range.start.line + 1, message })
    return found
  })
}
