import { renamesIn, type ImportFacts, type OtherName } from '../import-facts.ts'

/** Reads the imports of a file by patterns: better one too many than one too few. */
export function importFacts(path: string, written: string): ImportFacts {
  const text = written.replaceAll(CONTINUED, ' ').replaceAll(COMMENT, '$1')
  const requests: string[] = []
  const others: OtherName[] = []
  let close = 0
  for (const { 0: head, 1: module = '', index } of text.matchAll(FROM)) {
    requests.push(module)
    // Only names stand between brackets.
    if (index < close) continue
    const start = index + head.length
    const isBracketed = text[start] === '('
    // If none follows one bracket, none follows the next.
    if (isBracketed && close >= 0 && close < start) close = text.indexOf(')', start)
    const names = isBracketed
      ? text.slice(start + 1, Math.max(start + 1, close))
      : (LINE.exec(text.slice(start, start + LONGEST))?.[0] ?? '')
    others.push(...renamesIn(names))
    const joint = module.endsWith('.') ? '' : '.'
    for (const name of namesIn(names)) if (name !== '*') requests.push(`${module}${joint}${name}`)
  }
  const wholes = Array.from(text.matchAll(IMPORT), ([, modules = '']) => namesIn(modules)).flat()
  requests.push(...wholes, ...Array.from(text.matchAll(NAMED), ([, named = '']) => named))
  return { requests, wholes, others, isAmbient: /(?:^|\/)__?builtins__?\.pyi$/.test(path) }
}

const CONTINUED = /\\\r?\n/g
/** After a quote it may be part of a string. */
const COMMENT = /^([^'"#\n]*)#[^\n]*/gm
const FROM = /(?:^|[;:])[ \t]*from\b[ \t]*([.\w]+)[ \t]*\bimport\b[ \t]*/gm
const LINE = /^[^\n#(;]*/
const LONGEST = 10_000
const IMPORT = /(?:^|[;:])[ \t]*import[ \t]+([^\n#;]+)/gm
const NAMED = /\b(?:import_module|patch(?:\.dict)?|setattr)\(\s*['"]([\w.]+)['"]/g

const namesIn = (list: string): string[] =>
  list
    .replaceAll(/#[^\n]*/g, '')
    .split(',')
    .flatMap(each => /^[\s\\]*([.\w*]+)/.exec(each)?.[1] ?? [])
