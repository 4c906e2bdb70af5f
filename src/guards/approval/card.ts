import type { Claim } from '../../kernel/claim.ts'
import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Risk } from '../../kernel/tool.ts'

/** What a person is shown before a call runs. */
interface Card {
  readonly tool: string
  /** The frozen parameters, placeholders not yet filled in. */
  readonly input: unknown
  readonly claims: readonly Claim[]
  readonly risk: Risk
  /** What could happen, in words; stands in place of the level, where no document wants that. */
  readonly consequences?: string
  /** Paths that will change, where that is known better than from the claims. */
  readonly files?: readonly string[]
  readonly why?: string
  /** The unified diff of what will change. */
  readonly diff?: string
  /** What "always" would remember, in words. */
  readonly proposal?: string
  /** False if nothing would be remembered: then it is not offered. */
  readonly always?: boolean
}

type Answer = 'y' | 'n' | 'always'

const PROMPT = 'Approve? (y/n/always):'
const PROMPT_ONCE = 'Approve? (y/n):'
const LONG = 200
const MOST_DIFF_LINES = 400
/** Parameters that carry a text rather than name a thing are shown by their size. */
const TEXTS: ReadonlySet<string> = new Set(['content', 'text', 'patch', 'diff'])

/** The prompt as text; every value in it is inert, and what names the thing that is touched is never shortened. */
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

/** What a typed answer means; anything but a clear yes is a no. */
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

/** What a claim names is what the person decides about. */
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

/** Indented, so that no line of a diff can pass for a line of the prompt. */
function diffLines(diff: string): string[] {
  const lines = sanitizeBlock(diff.replace(/\n$/, '')).split('\n')
  const shown = lines.slice(0, MOST_DIFF_LINES).map(line => `  ${line}`)
  return lines.length > MOST_DIFF_LINES
    ? [...shown, `  … ${lines.length - MOST_DIFF_LINES} more lines; a dry run shows them all`]
    : shown
}
