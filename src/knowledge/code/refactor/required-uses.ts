import { ToolError } from '../../../kernel/error.ts'
import type { RequiredPlace } from '../callers/required/places-in.ts'
import { requiredPlaces } from '../callers/required/required-places.ts'
import { settledPlaces } from '../callers/required/settled-places.ts'
import type { CodeParts } from '../code-parts.ts'
import { deadlineIn, within, type Deadline } from '../servers/deadline.ts'
import type { Position } from '../servers/lsp-words.ts'
import { stagedTexts } from '../servers/staged-texts.ts'
import type { RefactorQuestion } from '../types.ts'
import { useAt, type Use } from './remove/uses-of.ts'
import type { Sources } from '../source.ts'

interface Place {
  readonly name: string
  readonly path: string
  readonly position: Position
}

/**
 * Where files that `require` the module of a symbol write its name, and components, unless it is surely another: no server
 * follows those.
 */
export async function requiredUses(
  parts: CodeParts,
  sources: Sources,
  place: Place,
  { deadlineMs, signal }: RefactorQuestion,
): Promise<readonly Use[]> {
  const found = await settled(parts, place, deadlineIn(deadlineMs, signal))
  return found.map(({ path, range }) => useAt(sources, path, sources(path).offsetOf(range.start)))
}

async function settled(
  parts: CodeParts,
  { name, path, position }: Place,
  deadline: Deadline,
): Promise<readonly RequiredPlace[]> {
  const late = () =>
    new ToolError('timeout', 'Not every script could be looked at in time', { hint: 'Give the question more time' })
  const found = await within(deadline, requiredPlaces(parts, path, name), late)
  if (!found.places.some(({ kind }) => kind === 'unsure')) return found.places
  const staged = stagedTexts(parts.root, parts.staging)
  const target = { path, positions: [position] }
  try {
    return await parts.servers.ask(path, staged, deadline, server => settledPlaces(found, target, server))
  } catch (error) {
    if (error instanceof ToolError && error.code === 'unavailable') return found.places
    throw error
  }
}
