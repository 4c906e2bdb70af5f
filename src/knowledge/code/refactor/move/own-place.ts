import { posix } from 'node:path'
import { isScripted, languageAt } from '../../../../languages/registry.ts'
import { parseModule, walk } from '../../../model/syntax/parse-module.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import { undecidedAt, type Occurrence } from '../occurrences/occurrence.ts'
import type { RefactorParts } from '../refactor-parts.ts'

/** The places where a moving file asks where it is: what it finds from there may stay behind. */
export async function ownPlaces(parts: RefactorParts, path: string, to: string): Promise<readonly Occurrence[]> {
  const { text } = parts.sources(path)
  const { ownPath } = languageAt(path)
  const places = isScripted(path) ? await scriptPlaces() : ownPath ? await namedPlaces(ownPath) : []
  return places
    .toSorted((one, other) => one.start - other.start)
    .map(at => undecidedAt({ path, ...at, kind: 'path' }, 'it asks where its file is'))

  async function scriptPlaces() {
    const selfReferences: { start: number; end: number }[] = []
    if (!/\bimport\s*\.\s*meta\b|\b__(?:dir|file)name\b/.test(text)) return selfReferences
    const isBeside = posix.dirname(path) === posix.dirname(to)
    const { program } = await parseModule(path, text)
    walk(program, node => {
      if (node.type === 'Identifier' && (node.name === '__filename' || (node.name === '__dirname' && !isBeside)))
        selfReferences.push({ start: node.start, end: node.end })
      if (node.type !== 'MetaProperty' || node.property.name !== 'meta') return
      const part = /^\s*\??\.\s*(\w+)/.exec(text.slice(node.end))?.[1] ?? ''
      // A file beside it is still there.
      const isSame = isBeside && (/^(?:dirname|resolve|glob)$/.test(part) || isBaseOfUrl(node.start))
      if (!isSame && !/^(?:env|hot|main)$/.test(part)) selfReferences.push({ start: node.start, end: node.end })
    })
    return selfReferences
  }

  /** `new URL('./data.json', import.meta.url)`. */
  function isBaseOfUrl(start: number): boolean {
    return /\bnew\s+URL\s*\(\s*(['"`])(?:(?!\1)[^$])+\1\s*,\s*$/.test(text.slice(Math.max(0, start - 500), start))
  }

  async function namedPlaces(pattern: RegExp) {
    const { comments = [] } = (await parseSyntax(path, text)) ?? {}
    return Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    })).filter(({ start }) => !comments.some(each => each.start <= start && each.end > start))
  }
}
