import { languageOf } from '../../../model/languages.ts'
import type { Position } from '../../servers/lsp-words.ts'
import type { Sources } from '../../source.ts'

/** Where a name is declared. */
export interface DeclaredAt {
  readonly path: string
  readonly position: Position
}

/** What is renamed, moved or deleted, as far as it matters for where it can be meant. */
export interface Target {
  /** As it is asked for: `Class.method`. */
  readonly name: string
  /** Its own name. */
  readonly old: string
  readonly path: string
  /** A part of a class, type or object; one of the module itself; or one that only its function knows. */
  readonly scope: 'member' | 'module' | 'local'
  /** It holds a value, and is not a function or class. */
  readonly isData: boolean
  /** A parameter, which calls can name. */
  readonly isParameter: boolean
  /** Where it is declared, with all that has to keep one name with it. */
  readonly places: readonly DeclaredAt[]
}

export type TargetPlace = Pick<Target, 'name' | 'old' | 'path' | 'scope'> & Pick<DeclaredAt, 'position'>

/** What the text around its declaration says of a target. */
export function targetOf(
  sources: Sources,
  { name, old, path, scope, position }: TargetPlace,
  places: readonly DeclaredAt[],
): Target {
  const { text, offsetOf } = sources(path)
  const before = text.slice(0, offsetOf(position))
  const isPython = languageOf(path) === 'python'
  return {
    name,
    old,
    path,
    scope,
    places,
    isData: !/^\s*[?!]?\s*[(<]/.test(text.slice(before.length + old.length)) && !/\bclass\s+$/.test(before),
    isParameter: scope === 'local' && isPython && /\b(?:def\s+\w+\s*\([^()]*|lambda[^:\n]*)$/.test(before),
  }
}
