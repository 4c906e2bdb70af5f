import { isUtf8 } from 'node:buffer'
import { globAutomaton } from './glob-automaton.ts'
import { globTokens, type GlobToken } from './glob-tokens.ts'

/** An ignore file's ruling on a path: none, ignore it, or keep it despite weaker files. */
export type Ruling = 'ignore' | 'keep' | undefined

/** The compiled rules of one ignore file. */
export interface RuleFile {
  /** Takes the path from the file's directory and its last name, both as bytes (U+0000..U+00FF). */
  ruling(path: string, name: string, isDirectory: boolean): Ruling
}

interface Rule {
  readonly glob: string
  readonly keep: boolean
  readonly onlyDirectory: boolean
}

/** Parses an ignore file as ripgrep does, even where git differs. Returns undefined if it has no rule. */
export function parseRuleFile(bytes: Buffer): RuleFile | undefined {
  const rules: Rule[] = []
  const byName = new Map<string, number[]>()
  const byEnding = new Map<string, number[]>()
  const byPath = new Map<string, number[]>()
  const others: { readonly index: number; readonly test: (path: string) => boolean }[] = []
  for (const line of linesOf(bytes)) {
    const rule = parseRule(line)
    const tokens = rule && globTokens(rule.glob)
    if (rule === undefined || tokens === undefined) continue
    const index = rules.push(rule) - 1
    const [first, ...rest] = tokens
    const [second, ...ending] = rest
    const name = first?.kind === 'prefix' ? literalOf(rest) : undefined
    const extension = first?.kind === 'prefix' && second?.kind === 'star' ? literalOf(ending) : undefined
    const path = literalOf(tokens)
    if (name !== undefined && name !== '' && !name.includes('/')) file(byName, name, index)
    else if (extension !== undefined && /^\.[^./]*$/s.test(extension)) file(byEnding, extension, index)
    else if (path !== undefined) file(byPath, path, index)
    else others.push({ index, test: globAutomaton(tokens) })
  }
  if (rules.length === 0) return undefined

  return {
    ruling(path, name, isDirectory) {
      let best = -1
      const consider = (indexes: readonly number[] | undefined) => {
        for (let at = (indexes?.length ?? 0) - 1; at >= 0; at--) {
          const index = indexes?.[at] ?? -1
          if (index < best) return
          if (rules[index]?.onlyDirectory === true && !isDirectory) continue
          best = index
          return
        }
      }
      consider(byName.get(name))
      if (byPath.size > 0) consider(byPath.get(path))
      if (byEnding.size > 0) {
        const dot = name.lastIndexOf('.')
        if (dot >= 0) consider(byEnding.get(name.slice(dot)))
      }
      for (let at = others.length - 1; at >= 0; at--) {
        const other = others[at]
        if (other === undefined || other.index < best) break
        if (rules[other.index]?.onlyDirectory === true && !isDirectory) continue
        if (!other.test(path)) continue
        best = other.index
        break
      }
      const rule = rules[best]
      return rule === undefined ? undefined : rule.keep ? 'keep' : 'ignore'
    },
  }
}

function parseRule(text: string): Rule | undefined {
  if (text.startsWith('#')) return undefined
  let line = text.endsWith('\\ ') ? text : trimEnd(text)
  if (line === '') return undefined
  let keep = false
  let isAnchored = false
  if (line.startsWith('\\!') || line.startsWith('\\#')) line = line.slice(1)
  else {
    keep = line.startsWith('!')
    if (keep) line = line.slice(1)
    isAnchored = line.startsWith('/')
    if (isAnchored) line = line.slice(1)
  }
  const onlyDirectory = line.endsWith('/')
  if (onlyDirectory) {
    line = line.slice(0, -1)
    if (line.endsWith('\\')) line = line.slice(0, -1)
  }
  let glob = line
  if (!isAnchored && !line.includes('/') && line !== '**') glob = `**/${line}`
  if (glob.endsWith('/**')) glob += '/*'
  return { glob, keep, onlyDirectory }
}

/** Yields the lines up to the first that is not UTF-8, at which ripgrep stops. */
function* linesOf(bytes: Buffer): Generator<string> {
  for (let at = 0, first = true; at < bytes.length; first = false) {
    const lineBreak = bytes.indexOf(0x0a, at)
    const end = lineBreak < 0 ? bytes.length : lineBreak
    const line = bytes.subarray(at, lineBreak > at && bytes[end - 1] === 0x0d ? end - 1 : end)
    if (!isUtf8(line)) return
    const text = line.toString('utf8')
    yield first ? text.replace(/^\ufeff+/, '') : text
    at = end + 1
  }
}

/** Trims Unicode white space, which differs slightly from `trimEnd`. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && WHITE_SPACE.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

const WHITE_SPACE = /^\p{White_Space}$/u

function literalOf(tokens: readonly GlobToken[]): string | undefined {
  let text = ''
  for (const token of tokens) {
    if (token.kind !== 'literal') return undefined
    text += token.bytes
  }
  return text
}

function file(lists: Map<string, number[]>, key: string, index: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [index])
  else list.push(index)
}
