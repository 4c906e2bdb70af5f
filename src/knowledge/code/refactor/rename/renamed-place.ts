import { ToolError } from '../../../../kernel/error.ts'
import { parseOccurrences } from '../../../model/occurrences/parse-occurrences.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import { wordOf } from '../../../../languages/file-model/word-of.ts'
import { chooseTarget } from '../../callers/choose-target.ts'
import { namedSymbols } from '../../callers/named-symbol.ts'
import { fileAt } from '../../callers/ask-server.ts'
import type { RefactorQuestion } from '../../types.ts'
import { parseName, findDeclarations, namedPlace, plainName, scopeOf } from '../find-symbol.ts'
import type { NamedPlace } from '../occurrences/occurrence.ts'
import type { RefactorParts } from '../refactor-parts.ts'

const LINE_END = /\r\n|\n|\r/
const MOST_LINES = 5

/** The place of a symbol; with path and line also of a local variable. */
export async function renamedPlace(parts: RefactorParts, question: RefactorQuestion): Promise<NamedPlace> {
  const { sources } = parts
  const { symbol = '', path: inputPath, line } = question
  const old = plainName(parseName(symbol).name)
  const path = inputPath === undefined ? undefined : fileAt(parts, inputPath)
  if (path !== undefined && !(await parseSyntax(path, sources(path).text))) return placeFromOutline(path)
  try {
    return namedPlace(await findDeclarations(parts, question))
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'no_match' || path === undefined) throw error
    const local = line === undefined ? undefined : await wordAt(path, line)
    if (!local) throw writtenAt(path, error)
    return local
  }

  /** Fields, enum members and variables are not listed as symbols of a file, but a line selects the word. */
  function writtenAt(file: string, error: ToolError): ToolError {
    const lines = sources(file).text.split(LINE_END)
    const numbers = lines.flatMap((text, at) => (wordOf(old).test(text) ? [at + 1] : []))
    if (numbers.length === 0) return error
    const more = numbers.length > MOST_LINES ? ` and ${numbers.length - MOST_LINES} more` : ''
    const where = `${numbers.length === 1 ? 'line' : 'lines'} ${numbers.slice(0, MOST_LINES).join(', ')}${more}`
    return new ToolError('no_match', error.message, {
      hint: `Give "line": '${old}' is written in ${where}, and a field, a member of an enum or a variable is found by its line`,
    })
  }

  async function wordAt(file: string, at: number): Promise<NamedPlace | undefined> {
    const source = sources(file)
    const word = wordOf(old).exec(source.text.split(LINE_END)[at - 1] ?? '')
    if (!word) return undefined
    const position = { line: at - 1, character: word.index }
    const start = source.offsetOf(position)
    const occurrences = await parseOccurrences(file, source.text, old)
    const isMember = /^(?:member|key)$/.test(occurrences?.find(each => each.start === start)?.kind ?? '')
    const spans = (await parseSyntax(file, source.text))?.spans ?? []
    const outer = spans
      .filter(each => each.start < start && each.end > start)
      .toSorted((one, two) => two.start - one.start)[0]
    const name = outer ? `${outer.name}.${old}` : old
    return placeIn(file, { name, position, old, scope: isMember ? 'member' : scopeOf(name, spans) })
  }

  /** For a language that only its server reads. */
  async function placeFromOutline(file: string): Promise<NamedPlace> {
    const symbols = namedSymbols(await parts.ask(file, ({ server }) => server.outline(file)))
    const here = line === undefined ? symbols : symbols.filter(({ selection }) => selection.start.line === line - 1)
    const target = chooseTarget(here, symbol, file).at(-1)
    if (!target) throw new Error('A chosen target is at least one symbol')
    const scope = target.name.includes('.') ? 'member' : 'module'
    return placeIn(file, { name: target.name, position: target.selection.start, old: target.plain, scope })
  }

  function placeIn(file: string, place: Pick<NamedPlace, 'name' | 'position' | 'old' | 'scope'>): NamedPlace {
    return { ...place, path: file, places: [{ path: file, position: place.position }], head: '' }
  }
}
