import type { ToolkitOptions } from '../../toolkit.ts'
import { UsageError } from './usage.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }
const MOST_MS = 24 * 3_600_000

/** Returns the option of a session for `--wait-for-approval 5m`. */
export function waitOf(waitText: string, command?: string): Pick<ToolkitOptions, 'waitForApprovalMs'> {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(waitText) ?? []
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN)
  if (!(ms > 0 && ms <= MOST_MS))
    throw new UsageError('--wait-for-approval takes a time up to 24h, such as 30s, 5m or 1h', command)
  return { waitForApprovalMs: ms }
}
