import type { Peer } from './peer.ts'

/** Whether answers carry structured content besides their text. */
export const STRUCTURED = ['never', 'auto', 'always'] as const

export type Structured = (typeof STRUCTURED)[number]

export const isStructured = (text: string): text is Structured => STRUCTURED.some(one => one === text)

/**
 * Clients that pass the structured content to the model in place of the text, or both: they get only the text. Listed
 * by their own name and the first version known to do so. Gemini CLI long called itself 0.0.1, whatever its version.
 */
const TEXT_ALONE: readonly (readonly [RegExp, version: string])[] = [
  [/^claude-code\b/, '2.1'],
  [/^codex-mcp-client\b/, '0.166'],
  [/^gemini-cli-mcp-client\b/, '0.0.1'],
  [/^@langchain\/mcp-adapters\b/, '1.1'],
]

/** Reports whether a client gets structured content, and so its schema. An unknown client gets both. */
export const getsStructured = (setting: Structured, { name, version }: Pick<Peer, 'name' | 'version'>): boolean =>
  setting === 'always' ||
  (setting === 'auto' && !TEXT_ALONE.some(([known, since]) => known.test(name) && isSince(version, since)))

/** Compares versions by their numbers. An invalid version is older than any. */
function isSince(version: string, since: string): boolean {
  if (!/^\d/.test(version)) return false
  const [versionNumbers, first] = [numbersIn(version), numbersIn(since)]
  const at = first.findIndex((number, place) => number !== (versionNumbers[place] ?? 0))
  return at === -1 || (versionNumbers[at] ?? 0) > (first[at] ?? 0)
}

const numbersIn = (version: string): readonly number[] => version.split(/\D+/).map(Number)
