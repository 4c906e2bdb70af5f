import type { Claim } from '../../kernel/claim.ts'
import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Risk } from '../../kernel/tool.ts'

/** The prompt for a person before a call runs. */
interface Card {
  readonly tool: string
  /** The frozen parameters, with placeholders not yet filled in. */
  readonly input: unknown
  readonly claims: readonly Claim[]
  readonly risk: Risk
  /** What could happen, in words; replaces the risk level unless the document wants that. */
  readonly consequences?: string
  /** Paths that will change, if known better than from the claims. */
  readonly files?: readonly string[]
  readonly why?: string
  /** The unified diff of what will change. */
  readonly diff?: string
  /** What "always" would remember, in words. */
  readonly proposal?: string
  /** False if nothing would be remembered; then "always" is not offered. */
  readonly always?: boolean
}

type Answer = 'y' | 'n' | 'always'

const PROMPT = 'Approve? (y/n/always):'
const PROMPT_ONCE = 'Approve? (y/n):'
const LONG = 200
const MOST_DIFF_LINES = 400
/** Parameters that hold a text rather than a name are shown by their size. */
const TEXTS: ReadonlySet<string> = new Set(['content', 'text', 'patch', 'diff'])

/** Renders the prompt as text. Every value in it is inert, and the names of touched resources are never shortened. */
export function renderCard(card: Card): string {
  const lines = [
    `Tool: ${sanitize(card.tool)}`,
    'Parameters:',
    ...parameters(card),
    `Files affected: ${
      filesOf(card)
        .map(file => sanitize(file))
        .join(', ') || 'none'
    }`,
    card.consequences === undefined ? `Risk level: ${card.risk}` : `Could happen: ${sanitize(card.consequences)}`,
    ...(card.why ? [`Why: ${sanitize(card.why)}`] : []),
    ...(card.diff ? ['Changes:', ...diffLines(card.diff)] : []),
    ...(card.proposal ? [`Always means: ${sanitize(card.proposal)}`] : []),
  ]
  return `${lines.join('\n')}\n\n${card.always === false ? PROMPT_ONCE : PROMPT}`
}

/** Parses a typed answer; anything but a clear yes is a no. */
export function parseAnswer(typed: string): Answer {
  const word = typed.trim().toLowerCase()
  if (word === 'always') return 'always'
  return word === 'y' || word === 'yes' ? 'y' : 'n'
}

function parameters({ input, claims }: Card): string[] {
  if (typeof input !== 'object' || input === null) return [`  ${sanitize(String(JSON.stringify(input)))}`]
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  return entries.map(([key, value]) => `  ${sanitize(key)}: ${show(key, value, claims)}`)
}

function show(key: string, value: unknown, claims: readonly Claim[]): string {
  if (typeof value !== 'string') {
    const json = JSON.stringify(value) ?? String(value)
    return json.length > LONG && claims.every(({ action }) => action !== 'exec') ? size(json) : sanitize(json)
  }
  if (TEXTS.has(key)) return size(value)
  const isShort = value.length <= LONG && !value.includes('\n')
  return isShort || claims.some(claim => isNamedBy(claim, value)) ? sanitize(value) : size(value)
}

/** Reports whether a claim names this value, so that the person decides about it. */
const isNamedBy = ({ action, resource }: Claim, value: string): boolean =>
  action === 'exec' || resource === value || (action === 'net' && value.startsWith(resource))

const size = (text: string): string => `<${Buffer.byteLength(text)} bytes>`

function filesOf({ files, claims }: Card): readonly string[] {
  if (files) return files
  return [
    ...new Set(
      claims.filter(({ action }) => action === 'create' || action === 'write').map(({ resource }) => resource),
    ),
  ]
}

/** Indents a diff, so that none of its lines can pass for a line of the prompt. */
function diffLines(diff: string): string[] {
  const lines = sanitizeBlock(diff.replace(/\n$/, '')).split('\n')
  const shown = lines.slice(0, MOST_DIFF_LINES).map(line => `  ${line}`)
  return lines.length > MOST_DIFF_LINES
    ? [...shown, `  … ${lines.length - MOST_DIFF_LINES} more lines; a dry run shows them all`]
    : shown
}
