import { isCall } from './record.ts'
import { newestFirst } from './segments.ts'
import type { Claim, KeptOrigin, ReadLimits } from '../../kernel/claim.ts'
import { readKept } from './kept-text.ts'
import type { Payloads } from './payloads.ts'

/** A command in the journal. */
export interface LastCommand {
  readonly command: string
  readonly exitCode: number
  readonly executedAt: string
  readonly stdout: string
  readonly stderr: string
  readonly origin: KeptOrigin
}

const MOST_RECORDS = 10_000

/** Returns the newest command that a session ran to its end, from the journal. */
export function lastCommand(dir: string, session: string, payloads: Payloads): LastCommand | undefined {
  let recordsLeft = MOST_RECORDS
  for (const record of newestFirst(dir)) {
    if (recordsLeft-- === 0) return undefined
    if (!isCall(record) || record.session !== session || record.exitCode === undefined) continue
    const claims = record.claims.filter(isCommand)
    const command = claims[0]?.resource
    if (command === undefined) continue
    const origin = { claims, limits: record.limits ?? NO_LIMITS }
    const { stdout, stderr } = printedIn(record.printed ?? parsePrinted(payloads, record.printedRef?.ref))
    return { command, exitCode: record.exitCode, executedAt: record.startedAt, stdout, stderr, origin }
  }
  return undefined
}

const isCommand = ({ action }: Claim): boolean => action === 'exec'

/** Of a record that names none. */
export const NO_LIMITS: ReadLimits = { rules: [], closed: [], secrets: [] }

function parsePrinted(payloads: Payloads, ref: string | undefined): unknown {
  const payload = ref === undefined ? undefined : readKept(payloads, ref)
  if (payload === undefined) return undefined
  try {
    return JSON.parse(payload.text.toString())
  } catch {
    return undefined
  }
}

function printedIn(printed: unknown): { readonly stdout: string; readonly stderr: string } {
  const { stdout, stderr } = Object(printed)
  return { stdout: typeof stdout === 'string' ? stdout : '', stderr: typeof stderr === 'string' ? stderr : '' }
}
