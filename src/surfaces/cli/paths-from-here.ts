import { isFields } from '../render/shape.ts'
import type { Here } from './find-workspace.ts'

/** Fields of our own answers that hold a path, and those that hold a list of them. */
const PATHS: ReadonlySet<string> = new Set(['path', 'from'])
const LISTS: ReadonlySet<string> = new Set(['files', 'paths', 'changed', 'staged', 'dropped', 'tests', 'unread'])
/** Somebody else's data, whatever its fields are called. */
const FOREIGN: ReadonlySet<string> = new Set(['data', 'rows'])

/** An answer of our own contract for whoever typed a command: its paths are such as they would type, from where they are. */
export const pathsFromHere = <Answer>(answer: Answer, here: Here): Answer =>
  // Only texts become other texts.
  here.path === '.' ? answer : (placed('', answer, here) as Answer)

function placed(key: string, value: unknown, here: Here): unknown {
  if (typeof value === 'string') return PATHS.has(key) ? here.shown(value) : value
  if (Array.isArray(value))
    return value.map(each => (typeof each === 'string' && LISTS.has(key) ? here.shown(each) : placed('', each, here)))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      // The first few of a list, and how many there are, stand for the list.
      FOREIGN.has(name) ? each : placed(name === 'first' ? key : name, each, here),
    ]),
  )
}
