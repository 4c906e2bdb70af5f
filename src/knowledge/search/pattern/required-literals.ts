import { onlyOf } from './code-points.ts'
import type { Syntax } from './syntax.ts'

const MOST = 8

/** Returns texts such that every match contains one, as long and few as a quick look finds; empty if there are none. */
function requiredLiterals(syntax: Syntax): readonly string[] {
  switch (syntax.kind) {
    case 'set':
    case 'look':
      return best(runs([syntax]))
    case 'concat':
      return best([
        ...runs(syntax.parts),
        ...syntax.parts.map(part => (part.kind === 'set' ? [] : requiredLiterals(part))),
      ])
    case 'repeat':
      return syntax.min > 0 ? requiredLiterals(syntax.part) : []
    case 'choice': {
      const branches = syntax.parts.map(requiredLiterals)
      if (branches.some(branch => branch.length === 0)) return []
      const all = [...new Set(branches.flat())]
      return all.length > MOST ? [] : all
    }
  }
}

/** More alternatives that a line must hold are looked for one after another, which takes longer than it saves. */
const MOST_NEEDED = 3
const SHORTEST = 2

/** Returns alternatives such that every match contains a text of each: all that a quick look finds, the longest first. */
export function neededLiterals(syntax: Syntax): readonly (readonly string[])[] {
  return distinct(literalsOf(syntax))
    .filter(texts => texts.length > 0 && texts.every(text => text.length >= SHORTEST))
    .toSorted((one, other) => worth(other) - worth(one))
    .slice(0, MOST_NEEDED)
}

function literalsOf(syntax: Syntax): (readonly string[])[] {
  switch (syntax.kind) {
    case 'concat':
      return [...runs(syntax.parts), ...syntax.parts.flatMap(part => (part.kind === 'set' ? [] : literalsOf(part)))]
    case 'repeat':
      return syntax.min > 0 ? literalsOf(syntax.part) : []
    default:
      return [requiredLiterals(syntax)]
  }
}

function distinct(choices: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(choices.map(texts => [texts.join('\n'), texts])).values()]
}

/** Returns the texts that the expression matches, if it is only a choice of texts. */
export function exactLiterals(syntax: Syntax): readonly string[] | undefined {
  if (syntax.kind === 'choice') {
    const branches = syntax.parts.map(exactLiterals)
    return branches.every(branch => branch !== undefined) && branches.length <= MOST ? branches.flat() : undefined
  }
  const parts = syntax.kind === 'concat' ? syntax.parts : [syntax]
  const text = parts.map(part => (part.kind === 'set' ? (onlyOf(part.set) ?? -1) : -1))
  return text.length === 0 || text.includes(-1) ? undefined : [String.fromCodePoint(...text)]
}

/** Returns the unbroken runs of single characters. */
function runs(parts: readonly Syntax[]): string[][] {
  const runsOf: string[][] = []
  let run = ''
  for (const part of parts) {
    const code = part.kind === 'set' ? onlyOf(part.set) : undefined
    if (code !== undefined) run += String.fromCodePoint(code)
    else if (part.kind !== 'look') {
      runsOf.push([run])
      run = ''
    }
  }
  return [...runsOf, [run]]
}

function best(choices: readonly (readonly string[])[]): readonly string[] {
  const usable = choices.filter(texts => shortest(texts) > 0)
  return usable.reduce<readonly string[]>(
    (most, texts) => (worth(texts) > worth(most) || most.length === 0 ? texts : most),
    [],
  )
}

const shortest = (texts: readonly string[]): number =>
  texts.length === 0 ? 0 : Math.min(...texts.map(text => text.length))

const worth = (texts: readonly string[]): number => shortest(texts) - texts.length / 10
