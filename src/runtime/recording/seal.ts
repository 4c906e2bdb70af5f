import { hash } from 'node:crypto'
import { jsonLine } from '../../kernel/json-line.ts'
import type { Line } from './recording.ts'

const SEAL = /,"seal":"([0-9a-f]{16})"\}$/

/** A line as a recording has it, without its end: it tells by its last field whether somebody changed it. */
export function sealed(line: Line): string {
  const body = jsonLine(line).slice(0, -1)
  return `${body},"seal":"${sealOf(body)}"}`
}

/** Reports whether a line is, to the byte, what was recorded. */
export function isSealed(row: string): boolean {
  const found = SEAL.exec(row)
  return found !== null && found[1] === sealOf(row.slice(0, found.index))
}

const sealOf = (body: string): string => hash('sha256', body).slice(0, 16)
