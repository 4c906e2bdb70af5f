import { jsonLine } from '../../../kernel/json-line.ts'
import { sanitize } from '../../../kernel/sanitize.ts'
import { quoteArgv } from '../../../kernel/shell-quote.ts'
import type { Environment } from '../../../machine/state/directory.ts'
import type { Verdict } from '../../../guards/verdict.ts'
import type { Explained, Explanation } from '../../../runtime/explain-call.ts'
import type { Toolkit } from '../../../toolkit.ts'
import type { Colour } from '../../render/paint.ts'
import { hereIn } from '../find-workspace.ts'
import { painter, say, type Terminal } from '../terminal.ts'
import { EXIT, UsageError } from '../usage.ts'
import { checkLines } from './check-lines.ts'
import type { Values, Verb } from './options.ts'
import { ruleOrigins, type RuleOrigin } from './rule-origin.ts'
import { answersIn } from './stored.ts'

/** Explains what would be decided on a command, a path or a host, without doing anything. */
export const check: Verb = async (kit, words, values, terminal) => {
  if (values.jsonl) {
    await checkLines(kit, terminal)
    return EXIT.ok
  }
  const subject = explainedBy(kit, words, values, terminal)
  const explanation = await kit.explain(subject)
  const facts = policyFacts(kit, explanation, { env: terminal.env, config: values.config })
  if (values.json) say(terminal, jsonLine({ ...facts, verdict: explanation.decision.verdict }))
  else for (const line of linesOf(explanation, facts, terminal)) say(terminal, line)
  return CODES[explanation.decision.verdict]
}

/** A script learns the verdict from the exit code. */
const CODES: Readonly<Record<Verdict, number>> = { allow: EXIT.ok, ask: EXIT.failed, deny: EXIT.refused }

const KINDS = ['read', 'create', 'write', 'host'] as const

function explainedBy(kit: Toolkit, words: readonly string[], values: Values, { cwd }: Terminal): Explained {
  const [subject, ...more] = words
  const kinds = KINDS.filter(kind => values[kind])
  const [kind, second] = kinds
  if (subject === undefined) throw new UsageError("Give a command, such as 'git push', or add --jsonl", 'policy')
  if (second) throw new UsageError(`--${kind} and --${second} exclude each other`, 'policy')
  if (kind === undefined)
    return { tool: 'run', input: { command: more.length === 0 ? subject : quoteArgv([...words]) } }
  if (more.length > 0) throw new UsageError(`--${kind} takes one ${kind === 'host' ? 'host' : 'path'}`, 'policy')
  if (kind !== 'host') return { claim: { action: kind, resource: hereIn(kit.root, cwd).typed(subject) } }
  const address = URL.parse(subject.includes('://') ? subject : `https://${subject}`)
  if (!address) throw new UsageError(`'${subject}' is no host; write example.com or https://example.com:8443`, 'policy')
  return { claim: { action: 'net', resource: address.origin } }
}

interface Facts {
  readonly rule: RuleOrigin | null
  readonly why: string
  readonly claims: Explanation['claims']
  readonly atStart: readonly (NonNullable<Explanation['commands']>['atStart'][number] & { readonly from: string })[]
  readonly changes: string | null
  readonly missing: readonly string[]
}

/** Returns what explains a decision: its rule with where it stands, the claims, and what holds when programs start. */
export function policyFacts(
  kit: Toolkit,
  { decision, claims, commands }: Explanation,
  { env, config }: { readonly env: Environment; readonly config: string | undefined },
): Facts {
  const originOf = ruleOrigins(kit, { env }, config)
  const { rule, why, missing, alsoMissing = [] } = decision
  return {
    rule: rule === undefined ? null : (originOf(rule) ?? answerOrigin(kit, rule)),
    why,
    claims,
    atStart: (commands?.atStart ?? []).map(each => ({ ...each, from: originOf(each.rule)?.from ?? each.rule })),
    changes: commands ? commands.changes : null,
    missing: missing === undefined ? [] : [missing, ...alsoMissing],
  }
}

function answerOrigin(kit: Toolkit, id: string): RuleOrigin {
  const answer = answersIn(kit).find(one => one.id === id)
  return answer
    ? { id, says: `a remembered answer for ${answer.tool}`, from: `policy list, by ${answer.by}`, why: answer.why }
    : { id, says: 'a rule', from: id }
}

const MARKS: Readonly<Record<Verdict, readonly [Colour, mark: string, word: string]>> = {
  allow: ['green', '✓', 'allowed'],
  ask: ['yellow', '?', 'asks'],
  deny: ['red', '✗', 'denied'],
}

const CHANGES: Readonly<Record<string, string>> = {
  'read-only': 'the command only reads: the workspace is mounted read-only',
  dropped: 'dropped: the rule that allows it lets it write nothing',
  writable: 'judged as writes before they land',
}

function linesOf({ decision: { verdict, always, claim } }: Explanation, facts: Facts, terminal: Terminal): string[] {
  const paint = painter(terminal)
  const { rule, why, claims, atStart, changes, missing } = facts
  const [colour, mark, word] = MARKS[verdict]
  const printable = (text: string): string => sanitize(text, { max: 300 })
  const row = (name: string, text: string): string => `  ${paint('dim', name.padEnd(8))}  ${text}`
  const subject = claim ?? claims[0]
  const ruleText = rule
    ? `${printable(rule.says)}${paint('dim', `  ${printable(rule.from)}`)}${rule.why ? `  “${printable(rule.why)}”` : ''}`
    : 'no rule; the default decides'
  return [
    `${paint(colour, `${mark} ${word}`)}  ${subject ? `${subject.action} ${printable(subject.resource)}` : 'it touches nothing'}`,
    row('rule', ruleText),
    row('why', printable(why)),
    ...claims.map((each, at) =>
      row(at === 0 ? 'claims' : '', claimWords(each, paint(MARKS[each.verdict][0], MARKS[each.verdict][1]), printable)),
    ),
    ...(changes === null || verdict === 'deny' ? [] : [row('changes', CHANGES[changes] ?? changes)]),
    ...startLines(facts, row, text => paint('dim', text), printable),
    ...(changes !== null && atStart.length === 0
      ? [row('at start', 'no rule names a program: no stand-in asks when one starts')]
      : []),
    nextLine(verdict, missing, always === true),
  ]
}

const claimWords = (
  { action, resource, rule }: Explanation['claims'][number],
  mark: string,
  shown: (text: string) => string,
): string =>
  `${mark} ${action} ${shown(resource === '' ? '.' : resource)}${rule === undefined ? '' : `  (${shown(rule)})`}`

function startLines(
  { atStart }: Facts,
  row: (name: string, text: string) => string,
  dim: (text: string) => string,
  shown: (text: string) => string,
): string[] {
  return atStart.map(({ programs, verdict, command, from }, at) =>
    row(
      at === 0 ? 'at start' : '',
      `${programs.map(shown).join(', ')} ${verdict === 'deny' ? 'refuses' : 'asks for'} ${shown(command)}${dim(`  ${shown(from)}`)}`,
    ),
  )
}

function nextLine(verdict: Verdict, missing: readonly string[], always: boolean): string {
  if (verdict === 'allow') return 'It runs without a question.'
  if (verdict === 'deny')
    return missing.length > 0
      ? `It is refused. To allow it: ${allowing(missing)}`
      : 'It is refused; no --allow and no --yes opens it. Change the rule there.'
  if (always) return 'A person is asked every time; without one it is refused.'
  return missing.length > 0
    ? `A person is asked; without one it is refused. To allow it: ${allowing(missing)}`
    : 'A person is asked; without one it is refused.'
}

const allowing = (permissions: readonly string[]): string =>
  sanitize(quoteArgv(permissions.flatMap(each => ['--allow', each])), { max: 1000 })
