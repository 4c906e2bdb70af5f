import { hash } from 'node:crypto'
import type { TextLine } from './recording.ts'

const LONG = 1000

const textId = (text: string): string => hash('sha256', text).slice(0, 24)

/** Puts long texts aside, each once for a whole recording, and leaves their names; what it is given is packed. */
export function putTextsAside(value: unknown, known: Set<string>, write: (line: TextLine) => void): unknown {
  if (typeof value === 'string') {
    if (value.length < LONG) return value
    const id = textId(value)
    if (!known.has(id)) write({ type: 'text', id, text: value })
    known.add(id)
    return { $text: id }
  }
  if (typeof value !== 'object' || value === null) return value
  const inside = (item: unknown) => putTextsAside(item, known, write)
  if (Array.isArray(value)) return value.map(inside)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item)]))
}
