import { COMPUTED, type ImportFacts } from '../import-facts.ts'

/** Reads the includes and macros of a file. */
export function includeFacts(_path: string, text: string): ImportFacts {
  const requests = [...text.matchAll(INCLUDED)].map(([, quoted, other]) => quoted ?? other ?? COMPUTED)
  const others = [...text.matchAll(DEFINED)].flatMap(([, name = '', body = '']) =>
    Array.from(body.matchAll(CALLED_BY_MACRO), ([, of = '']) => ({ name, of })),
  )
  return { requests, wholes: [], others, isAmbient: false }
}

/** An include with neither quotes nor brackets is computed by a macro. */
const INCLUDED =
  /(?:^[ \t]*#[ \t]*(?:include|include_next|import|embed)\b|\b__has_include(?:_next)?[ \t]*\()[ \t]*(?:"([^"\n]{1,1000})"|<([^<>\n]{1,1000})>)?/gm

const DEFINED = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^()]{0,1000}\))?[ \t]+((?:[^\n\\]|\\[^])*)/gm
const CALLED_BY_MACRO = /(?<!\w)(\w+)\s*(?:\(|$)/g
