import { hash } from 'node:crypto'
import { languageAt } from '../../../languages/registry.ts'
import type { ImportFacts } from '../../../languages/import-facts.ts'

/** The facts of a file that decide which files depend on each other. */
export interface ModuleFacts extends ImportFacts {
  readonly hash: string
}

const UNKNOWN: ImportFacts = { requests: [], wholes: [], others: [], isAmbient: true }

/** In languages whose imports are not followed, every file depends on every other. */
export function moduleFacts(path: string, text: string): ModuleFacts {
  const { importFacts } = languageAt(path)
  const read = importFacts?.(path, text.replace(/^\uFEFF/, '')) ?? UNKNOWN
  return { ...read, hash: hash('sha256', text), requests: [...new Set(read.requests)] }
}
