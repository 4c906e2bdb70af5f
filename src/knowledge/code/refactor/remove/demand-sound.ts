import { ToolError } from '../../../../kernel/error.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import type { FileEdit } from '../../types.ts'
import type { FoundSymbol } from '../find-symbol.ts'
import { importersAround } from '../importers-around.ts'
import { newFaults, type Fault } from '../new-faults.ts'
import type { Sources } from '../../source.ts'

/**
 * Refuses what makes something wrong though nothing names the symbol: an operator that a method stands for, a type that has
 * to have it, a module that is none without it.
 */
export async function demandSound(
  parts: CodeParts,
  sources: Sources,
  { source: { path }, span }: FoundSymbol,
  edits: readonly FileEdit[],
  deadline: Deadline,
): Promise<void> {
  // What has a name of its own is missed by nobody who does not import its module; a member is by whoever has its type.
  const reach = span.name.includes('.') ? 'all' : 'direct'
  const also = await importersAround(parts, path, { reach, deadline })
  const faults = await newFaults(parts, sources, edits, { path, deadline, also, expected: isLeftOver })
  const [first] = faults
  if (!first) return
  throw new ToolError('conflict', `'${span.name}' is still needed: ${first.path}:${first.line}: ${first.message}`, {
    hint: 'Change these first; nothing was deleted',
    details: { faults: faults.slice(0, 20) },
  })
}

/** What only the symbol used is there for nothing now, and hurts nobody. */
const isLeftOver = ({ message }: Fault): boolean =>
  /\bis declared but\b|\bimports in import declaration are unused\b|\bis not accessed\b/.test(message)
