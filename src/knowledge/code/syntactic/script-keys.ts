import { isScriptFile } from '../../../languages/registry.ts'
import { toldKeys } from '../callers/computed/computed-calls.ts'
import { computedKeys } from '../callers/computed/computed-keys.ts'
import { readScripts } from '../callers/computed/keyed-scripts.ts'
import { wordOf } from '../../../languages/file-model/word-of.ts'
import type { Callers } from '../types.ts'

/** Adds where computed keys of scripts may name a function, as far as the text tells. */
export async function withComputedKeys(answer: Callers, texts: ReadonlyMap<string, string>): Promise<Callers> {
  const { path, name, within, from } = answer.target
  const text = texts.get(path)
  if (!isScriptFile(path) || text === undefined) return answer
  const start = startOf(text, from)
  const nameMatch = wordOf(name).exec(text.slice(start))
  if (!nameMatch) return answer
  const symbol = { path, name: [...within, name].join('.'), text, at: start + nameMatch.index }
  const keys = await computedKeys(symbol, () => readScripts(texts), undefined)
  const keyReasons = toldKeys(keys, each => ({ path: each.path, line: lineAt(texts.get(each.path) ?? '', each.start) }))
  return keyReasons.length === 0 ? answer : { ...answer, unknown: [...answer.unknown, ...keyReasons], partial: true }
}

const LINE_END = /\r\n|\n|\r/g

/** The offset of a line, counted from 1. */
function startOf(text: string, line: number): number {
  const ends = [...text.matchAll(LINE_END)]
  const before = line > 1 ? ends[line - 2] : undefined
  return before ? before.index + before[0].length : 0
}

const lineAt = (text: string, offset: number): number => [...text.slice(0, offset).matchAll(LINE_END)].length + 1
