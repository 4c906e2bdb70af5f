import { compileApproval } from '../../../guards/approval/approval.ts'
import { countOf } from '../../../guards/approval/card.ts'
import { lintRules, type RuleFinding } from '../../../guards/policy/lint-rules.ts'
import { loadCommandParsers } from '../../../guards/policy/command-parser.ts'
import type { Claim } from '../../../kernel/claim.ts'
import { jsonLine } from '../../../kernel/json-line.ts'
import { sanitize } from '../../../kernel/sanitize.ts'
import { readJournal } from '../../../machine/journal/read.ts'
import { isCall } from '../../../machine/journal/record.ts'
import { fromEntry } from '../../../runtime/approval-list.ts'
import type { Toolkit } from '../../../toolkit.ts'
import { isFields } from '../../render/shape.ts'
import { painter, say } from '../terminal.ts'
import { EXIT } from '../usage.ts'
import type { Verb } from './options.ts'
import { ruleOrigins } from './rule-origin.ts'
import { answersIn } from './stored.ts'

const MOST_CALLS = 1_000

/** Names rules that never decide, that no recent call matched, that allow more than they seem to, or that misspell git. */
export const lint: Verb = async (kit, _rest, values, terminal) => {
  const records = [...readJournal(kit.state.journal, { last: MOST_CALLS, which: isCall })]
  const claims = records.flatMap(({ claims: stated }) => claimsIn(stated))
  await loadCommandParsers(claims.filter(({ action }) => action === 'exec').map(({ resource }) => resource))
  const originOf = ruleOrigins(kit, terminal, values.config)
  const rules = kit.policy()
  const answers = answersIn(kit)
  const usedRules = new Set(records.map(({ approval }) => (isFields(approval) ? approval['rule'] : undefined)))
  const findings = [...lintRules(rules, claims), ...(await lintAnswers(kit, usedRules, records.length))].map(
    finding => {
      const origin = originOf(finding.rule)
      return { ...finding, says: origin?.says ?? 'remembered answer', from: origin?.from ?? 'policy list' }
    },
  )
  const sampleSizes = { rules: rules.rules.all.length, answers: answers.length, calls: records.length }
  if (values.json) say(terminal, jsonLine({ findings, looked: sampleSizes }))
  else {
    const paint = painter(terminal)
    for (const { rule, kind, what, says, from } of findings) {
      say(
        terminal,
        `${paint('yellow', `! ${kind.padEnd(9)}`)}  ${sanitize(says)}${paint('dim', `  ${sanitize(rule)}  ${sanitize(from)}`)}`,
      )
      say(terminal, `  ${sanitize(what, { max: 500 })}`)
    }
    const counts = `Looked at ${countOf(sampleSizes.rules, 'rule')}, ${countOf(sampleSizes.answers, 'remembered answer')} and the claims of the newest ${countOf(sampleSizes.calls, 'call')} here`
    say(
      terminal,
      findings.length === 0
        ? `${paint('green', '✓')} Nothing odd. ${counts}.`
        : `${countOf(findings.length, 'finding')}. ${counts}.`,
    )
    say(
      terminal,
      paint('dim', 'Patterns that overlap in part are not compared, and what programs start is in no claim.'),
    )
  }
  return findings.length === 0 ? EXIT.ok : EXIT.failed
}

function claimsIn(stated: unknown): readonly Claim[] {
  if (!Array.isArray(stated)) return []
  return stated.filter(
    (claim: unknown): claim is Claim =>
      isFields(claim) && typeof claim['action'] === 'string' && typeof claim['resource'] === 'string',
  )
}

/** Remembered answers that nothing used, that no longer count, or whose pattern warns. */
async function lintAnswers(kit: Toolkit, used: ReadonlySet<unknown>, calls: number): Promise<readonly RuleFinding[]> {
  const findings: RuleFinding[] = []
  for (const answer of answersIn(kit)) {
    const { id: rule, enabled, expired, expiresAt, lastUsed, made, grants = [] } = answer
    const isOver = expired === true || (expiresAt !== undefined && Date.parse(expiresAt) < Date.now())
    if (isOver || !made)
      findings.push({
        rule,
        kind: 'shadowed',
        what: isOver ? 'it has expired, and approves nothing' : 'it is of an older version, and approves nothing',
      })
    else if (!enabled) findings.push({ rule, kind: 'shadowed', what: 'it is switched off, and approves nothing' })
    else if (calls > 0 && lastUsed === undefined && !used.has(rule))
      findings.push({ rule, kind: 'unmatched', what: 'no call has used it' })
    const compilation = await compileApproval(fromEntry(answer)).then(
      done => done.compiled,
      (error: unknown) => String(error instanceof Error ? error.message : error),
    )
    if (typeof compilation === 'string') findings.push({ rule, kind: 'shadowed', what: compilation })
    else if ('warnings' in compilation)
      for (const what of compilation.warnings) findings.push({ rule, kind: 'wide', what })
    if (grants.some(({ command, path }) => command === '*' || path === '**'))
      findings.push({ rule, kind: 'wide', what: 'it covers every command or every file' })
  }
  return findings
}
