import { ToolError } from '../../kernel/error.ts'
import type { OpenFile } from '../workspace/workspace.ts'
import { readKept } from '../journal/kept-text.ts'
import type { Payloads } from '../journal/payloads.ts'

/** Returns the full text of a truncated result, readable like a file. */
export function storedAnswer(payloads: Payloads, path: string, id: string): OpenFile {
  const bytes = storedBytes(payloads, path, id)
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length)
  return { path, size: bytes.length, mode: 0o600, read, close() {} }
}

export function storedBytes(payloads: Payloads, path: string, id: string): Buffer {
  const keptAnswer = readKept(payloads, id)
  if (keptAnswer) return keptAnswer.text
  throw new ToolError('not_found', `Nothing is stored under ${path}`, {
    hint: 'It may be too old: run its call again',
  })
}
