import { createHash } from 'node:crypto'
import { commandParser } from '../guards/policy/command-parser.ts'
import type { Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import type { Session } from './session.ts'

/** The sha256 of what lines run from the workspace, by the name of the file or script. */
export type RunTexts = Readonly<Record<string, string>>

/** Ends a proposal that counts only for the present content of files. */
export const WHILE_SAME = /, while [^,]+(?:, [^,]+)* (?:stays|stay) as now$/

/** Returns what the commands among these claims are known to run from the workspace, as it is now. */
export function runTextsOf<Engines>(
  { machine }: Pick<Session<Engines>, 'machine'>,
  claims: readonly Claim[],
): RunTexts {
  const { contentOf } = machine
  if (!contentOf) return {}
  const texts = claims
    .filter(({ action }) => action === 'exec')
    .flatMap(({ resource, cwd = '.' }) => [...commandParser().runFiles(resource, cwd, contentOf).texts])
  return Object.fromEntries(texts.map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')]))
}

/** Reports whether a command among these claims runs something that its line does not name. */
export function runsUnnamed<Engines>(
  { machine: { contentOf = () => undefined } }: Pick<Session<Engines>, 'machine'>,
  claims: readonly Claim[],
): boolean {
  return claims.some(
    ({ action, resource, cwd = '.' }) => action === 'exec' && commandParser().runFiles(resource, cwd, contentOf).isOpen,
  )
}

/** Refuses a command if what it runs is not what it was when a person was asked. */
export function ensureSameTexts<Engines>(
  session: Session<Engines>,
  claims: readonly Claim[],
  shownTexts: RunTexts,
): void {
  const name = changedText(shownTexts, runTextsOf(session, claims))
  if (name === undefined) return
  throw new ToolError('conflict', `'${name}' has changed since the command was approved, so nothing was run`, {
    hint: `Read ${name}, then make the same call again: it asks about what is there now`,
    details: { path: name },
  })
}

/** Returns the name of a text that is new, gone or different. */
const changedText = (before: RunTexts, now: RunTexts): string | undefined =>
  [...Object.keys(now), ...Object.keys(before)].find(name => before[name] !== now[name])
