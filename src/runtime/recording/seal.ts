import { hash } from 'node:crypto'
import { jsonLine } from '../../kernel/json-line.ts'
import type { Line } from './recording.ts'

const SEAL = /,"seal":"([0-9a-f]{16})"\}$/

/** Returns a line of a recording without its line end. Its last field reveals any change. */
export function sealLine(line: Line): string {
  const body = jsonLine(line).slice(0, -1)
  return `${body},"seal":"${sealOf(body)}"}`
}

/** Reports whether a line is unchanged since it was recorded, to the byte. */
export function isSealed(row: string): boolean {
  const sealMatch = SEAL.exec(row)
  return sealMatch !== null && sealMatch[1] === sealOf(row.slice(0, sealMatch.index))
}

const sealOf = (body: string): string => hash('sha256', body).slice(0, 16)
