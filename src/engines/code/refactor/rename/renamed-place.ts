import { ToolError } from '../../../../kernel/error.ts'
import { chooseTarget } from '../../callers/choose-target.ts'
import { namedIn } from '../../callers/named.ts'
import { fileAt } from '../../callers/put-question.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import type { Position } from '../../servers/lsp-words.ts'
import type { StagedTexts } from '../../servers/staged-texts.ts'
import type { RefactorQuestion } from '../../types.ts'
import { askedName } from '../asked-name.ts'
import { findSymbols } from '../find-symbol.ts'
import { demandOneSymbol } from '../one-symbol.ts'
import type { Sources } from '../source.ts'
import { syntaxOf } from '../syntax/syntax-of.ts'
import { wordOf } from '../word-of.ts'

/** Where a name is written that shall be another. */
export interface RenamedPlace {
  /** `Class.method` where it is one. */
  readonly name: string
  readonly path: string
  readonly position: Position
  /** Where else it is declared under this name in the same file. */
  readonly also: readonly Position[]
  /** The name as it stands there. */
  readonly old: string
}

/** Where a name is declared. */
export interface DeclaredAt {
  readonly path: string
  readonly position: Position
}

/** The place of a symbol; with path and line also of a variable that only its function knows. */
export async function renamedPlace(
  parts: CodeParts,
  sources: Sources,
  question: RefactorQuestion,
  staged: StagedTexts,
  deadline: Deadline,
): Promise<RenamedPlace> {
  const { symbol = '', path: given, line } = question
  const old = askedName(symbol).name.split('.').at(-1) ?? ''
  const path = given === undefined ? undefined : fileAt(parts, given)
  if (path !== undefined && !(await syntaxOf(path, sources(path).text))) return outlined(path)
  try {
    const found = await findSymbols(parts, sources, question)
    const { source, span } = await demandOneSymbol({ ...parts, staged, deadline }, symbol, found)
    const [position, ...also] = found.map(each => source.positionOf(each.span.nameAt))
    if (!position) throw new Error('What was found is at least one')
    return { name: span.name, path: source.path, position, also, old }
  } catch (error) {
    const isUnknown = error instanceof ToolError && error.code === 'no_match'
    const local = isUnknown && path !== undefined && line !== undefined ? wordAt(path, line) : undefined
    if (!local) throw error
    return local
  }

  function wordAt(file: string, at: number): RenamedPlace | undefined {
    const text = sources(file).text.split(/\r\n|\n|\r/)[at - 1] ?? ''
    const word = wordOf(old).exec(text)
    return word
      ? { name: symbol, path: file, position: { line: at - 1, character: word.index }, also: [], old }
      : undefined
  }

  /** In a language that only its server reads. */
  async function outlined(file: string): Promise<RenamedPlace> {
    const named = namedIn(await parts.servers.ask(file, staged, deadline, server => server.outline(file)))
    const here = line === undefined ? named : named.filter(({ selection }) => selection.start.line === line - 1)
    const target = chooseTarget(here, symbol, file).at(-1)
    if (!target) throw new Error('A chosen target is at least one symbol')
    return { name: target.name, path: file, position: target.selection.start, also: [], old: target.plain }
  }
}
