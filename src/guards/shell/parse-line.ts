import { ToolError } from '../../kernel/error.ts'
import { readList, readScript } from './grammar.ts'
import { newOutline } from './outline.ts'
import { giveUp, type Reader } from './reader.ts'
import type { Script } from './script.ts'
import { objectionTo } from './second-parser.ts'
import { expandLoops } from './expand-loops.ts'

const MAX_LENGTH = 50_000

/** Characters that no one types on purpose, and that people and programs read differently. */
export const ODD = /[^\P{C}\t\n]|[^\P{Z} ]/gu

/** Parses a line as bash would. An uncertain part becomes a doubt; if nothing is certain, the script is broken. */
export function parseLine(line: string): Script {
  const reader: Reader = {
    text: line,
    at: 0,
    depth: 0,
    commands: [],
    doubts: [],
    awaited: [],
    functions: [],
    defined: new Set(),
    around: [],
    loops: [],
    outline: newOutline(),
    list: (inner, closer) => readList(inner, [closer], true),
  }
  try {
    if (line.length > MAX_LENGTH) giveUp(`it is longer than ${MAX_LENGTH} characters`)
    const at = line.search(ODD)
    if (at >= 0) giveUp(`it has a character that does not show (${codeOf(line.slice(at))})`)
    readScript(reader)
    if (reader.at < line.length) giveUp('a bracket is misplaced')
    if (reader.awaited.length > 0) giveUp('the text of a here-document is missing')
    const objection = objectionTo(line, reader.outline)
    if (objection !== undefined) giveUp(objection)
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    return expandLoops({ ...foundBy(reader), broken: cause.message }, reader.loops)
  }
  return expandLoops(foundBy(reader), reader.loops)
}

const foundBy = ({ commands, doubts, functions }: Reader): Script => ({ commands, doubts, functions })

const codeOf = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
