import { isFields } from '../render/shape.ts'
import type { Here } from './find-workspace.ts'

/** Fields of our own answers with a path, and those with a list of paths. */
const PATHS: ReadonlySet<string> = new Set(['path', 'from'])
const LISTS: ReadonlySet<string> = new Set(['files', 'paths', 'changed', 'staged', 'dropped', 'tests', 'unread'])
/** External data, whatever its field names. */
const FOREIGN: ReadonlySet<string> = new Set(['data', 'rows'])

/** Makes the paths in an answer of our own contract relative to the current directory, as a person would type them. */
export const pathsFromHere = <Answer>(answer: Answer, here: Here): Answer =>
  // Changes only texts, so the type stays.
  here.path === '.' ? answer : (withLocalPaths('', answer, here) as Answer)

function withLocalPaths(key: string, value: unknown, here: Here): unknown {
  if (typeof value === 'string') return PATHS.has(key) ? here.shown(value) : value
  if (Array.isArray(value))
    return value.map(each =>
      typeof each === 'string' && LISTS.has(key) ? here.shown(each) : withLocalPaths('', each, here),
    )
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      // `first` holds the beginning of a list, beside its total.
      FOREIGN.has(name) ? each : withLocalPaths(name === 'first' ? key : name, each, here),
    ]),
  )
}
