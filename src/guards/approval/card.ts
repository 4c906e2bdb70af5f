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
  /** The command that prints what the card leaves out. */
  readonly seeAll?: string
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
  const omissions = leftOut(card)
  const isWhole = omissions.length === 0
  const lines = [
    `Tool: ${sanitize(card.tool)}`,
    'Parameters:',
    ...cardParameters(card),
    `Files affected: ${
      filesOf(card)
        .map(file => sanitize(file))
        .join(', ') || 'none'
    }`,
    card.consequences === undefined ? `Risk level: ${card.risk}` : `Could happen: ${sanitize(card.consequences)}`,
    ...(card.why ? [`Why: ${sanitize(card.why)}`] : []),
    ...(card.diff ? ['Changes:', ...diffLines(card.diff)] : []),
    ...(isWhole ? [] : [leftOutLine(omissions, card.seeAll)]),
    ...(card.proposal && isWhole ? [`Always means: ${sanitize(card.proposal)}`] : []),
  ]
  return `${lines.join('\n')}\n\n${card.always === false || !isWhole ? PROMPT_ONCE : PROMPT}`
}

/**
 * Returns what the text of a card leaves out, in words. No one can approve for good what they do not see, so "always"
 * is then not offered. A diff shows what becomes of long parameters; without one they are left out.
 */
export function leftOut({ input, claims, diff }: Card): readonly string[] {
  const lines = diff ? linesOf(diff) : []
  const beyond = lines.slice(MOST_DIFF_LINES)
  const longParameters = diff === '' ? entriesOf(input).filter(([key, value]) => isSized(key, value, claims)) : []
  return [
    ...(beyond.length > 0 ? [`${beyond.length} of ${countOf(lines.length, 'line')} of the changes`] : []),
    ...binaryContents(diff ?? ''),
    ...longParameters.map(([key, value]) => `the parameter ${key} (${size(textOf(value)).slice(1, -1)})`),
  ]
}

/** Says what is not shown, and the command that shows it. */
export const leftOutLine = (omissions: readonly string[], seeAll: string | undefined): string =>
  `Not shown: ${sanitize(omissions.join('; '))}${seeAll === undefined ? '' : `. All of it: ${sanitize(seeAll)}`}`

const MOST_NAMED = 3

/** Names the files of a diff that cannot be shown as text. */
export function binaryContents(diff: string): readonly string[] {
  const names = Array.from(diff.matchAll(/^Binary files (.+) and (.+) differ$/gm), ([, old = '', now = '']) =>
    (now === '/dev/null' ? old : now).replace(/^("?)[ab]\//, '$1'),
  )
  if (names.length === 0) return []
  const more = names.length > MOST_NAMED ? ` and ${countOf(names.length - MOST_NAMED, 'more file')}` : ''
  return [`the binary content of ${names.slice(0, MOST_NAMED).join(', ')}${more}`]
}

export const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Parses a typed answer; anything but a clear yes is a no. */
export function parseAnswer(answerText: string): Answer {
  const word = answerText.trim().toLowerCase()
  if (word === 'always') return 'always'
  return word === 'y' || word === 'yes' ? 'y' : 'n'
}

/** Returns a line for each parameter, without control characters; a long text that no claim names by its size. */
export function cardParameters({ input, claims }: Pick<Card, 'input' | 'claims'>): string[] {
  if (typeof input !== 'object' || input === null) return [`  ${sanitize(String(JSON.stringify(input)))}`]
  return entriesOf(input).map(([key, value]) => {
    const text = textOf(value)
    return `  ${sanitize(key)}: ${isSized(key, value, claims) ? size(text) : sanitize(text)}`
  })
}

const entriesOf = (input: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(Object(input)).filter(([, value]) => value !== undefined)

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))

/** Reports whether a parameter is shown by its size alone. */
function isSized(key: string, value: unknown, claims: readonly Claim[]): boolean {
  const text = textOf(value)
  if (typeof value !== 'string') return text.length > LONG && claims.every(({ action }) => action !== 'exec')
  if (TEXTS.has(key)) return true
  const isShort = text.length <= LONG && !text.includes('\n')
  return !isShort && !claims.some(claim => isNamedBy(claim, text))
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
  const lines = linesOf(diff)
  const indentedLines = lines.slice(0, MOST_DIFF_LINES).map(line => `  ${sanitizeBlock(line)}`)
  return lines.length > MOST_DIFF_LINES
    ? [...indentedLines, `  … ${lines.length - MOST_DIFF_LINES} more lines`]
    : indentedLines
}

const linesOf = (diff: string): readonly string[] => diff.replace(/\n$/, '').split('\n')
