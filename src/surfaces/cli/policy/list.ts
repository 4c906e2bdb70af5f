import { compileApproval } from '../../../guards/approval/approval.ts'
import { answersWithAskedChanges, rulesWithAskedChanges } from '../../../guards/policy/asked-changes.ts'
import { commandOf } from '../../../guards/policy/written-rules.ts'
import { jsonLine } from '../../../kernel/json-line.ts'
import { sanitize } from '../../../kernel/sanitize.ts'
import { fromEntry, type ApprovalEntry } from '../../../runtime/approval-list.ts'
import type { Toolkit } from '../../../toolkit.ts'
import type { CommandProfile } from '../../../config/profiles.ts'
import type { Paint } from '../../render/paint.ts'
import { painter, say, warn, type Terminal } from '../terminal.ts'
import { EXIT } from '../usage.ts'
import type { Verb } from './options.ts'
import { answersIn, denialsIn } from './stored.ts'

/** Lists stored deny rules, remembered answers and the profiles of the configuration. */
export const list: Verb = async (kit, _rest, values, terminal) => {
  const denials = await denialsIn(kit)
  const answers = answersIn(kit)
  if (values.json) {
    say(terminal, jsonLine([...denials, ...answers, ...kit.config.profiles]))
    return EXIT.ok
  }
  await warnOfProblems(kit, terminal)
  const paint = painter(terminal)
  for (const { id, deny, enabled, scope, by, at, why } of denials) {
    say(terminal, `${id}  ${enabled ? 'on ' : 'off'}  ${paint('red', 'deny')} ${sanitize(deny)}  ${scope}`)
    say(
      terminal,
      paint('dim', `    ${sanitize([`by ${by}`, `at ${at}`, 'never expires', ...(why ? [why] : [])].join(', '))}`),
    )
  }
  for (const answer of answers) for (const line of await answerLines(answer, paint)) say(terminal, line)
  if (answers.length === 0) say(terminal, 'Nothing is remembered: every question is asked.')
  for (const profile of kit.config.profiles) for (const line of profileLines(profile, paint)) say(terminal, line)
  const policy = kit.policy()
  for (const { id, command } of rulesWithAskedChanges(policy))
    say(terminal, sanitize(`${id}: changes by '${command}' are asked about, because the rule has no "writes"`))
  for (const { id, command } of answersWithAskedChanges(policy, answers))
    say(
      terminal,
      sanitize(`${id}: changes by '${command}' are asked about, because the remembered answer names no files`),
    )
  return EXIT.ok
}

async function warnOfProblems({ workspace }: Toolkit, terminal: Terminal): Promise<void> {
  const denials = workspace.hasDenials() ? Object.values(await workspace.denials()) : []
  for (const shelf of [...Object.values(workspace.approvals), ...denials]) {
    const broken = shelf.problem()
    if (broken) warn(terminal, sanitize(`${broken.message} ${broken.hint ?? ''}`, { max: 2000 }))
  }
}

function profileLines({ profile, source, enabled, default: others, ...lists }: CommandProfile, paint: Paint): string[] {
  const ruleTexts = [
    ...(['allow', 'ask', 'deny'] as const).flatMap(verdict =>
      (lists[verdict] ?? []).map(one => `${verdict} ${commandOf(one)}`),
    ),
    ...(others === undefined ? [] : [`otherwise ${others}`]),
  ]
  return [
    sanitize(`profile ${profile}  ${enabled ? 'on ' : 'off'}  ${source}`),
    paint('dim', `    ${sanitize(ruleTexts.join(', '), { max: 2000 })}`),
  ]
}

async function answerLines(answer: ApprovalEntry, paint: Paint): Promise<readonly string[]> {
  const what =
    answer.pattern ??
    (answer.grants ?? [])
      .map(({ action, path, command, host, secret }) => `${action} ${path ?? command ?? host ?? secret ?? '*'}`)
      .join(', ')
  const problem = await compileApproval(fromEntry(answer)).then(
    ({ compiled }) =>
      'warnings' in compiled
        ? compiled.warnings.map(warning => ` ${paint('yellow', sanitize(`Warning: ${warning}`))}`).join('')
        : '',
    (error: unknown) => ` ${paint('red', sanitize(error instanceof Error ? error.message : String(error)))}`,
  )
  const facts = [
    `by ${answer.by}`,
    `at ${answer.at}`,
    `${answer.expired ? 'expired' : 'expires'} ${answer.expiresAt ?? 'never'}`,
    `last used ${answer.lastUsed ?? 'never'}`,
    ...(answer.made ? [] : ['no longer applies: stored by an older version, without the version of its tool']),
    ...(answer.why ? [answer.why] : []),
  ]
  return [
    `${answer.id}  ${answer.enabled ? 'on ' : 'off'}  ${sanitize(answer.tool)}  ${sanitize(what)}  ${answer.scope}${problem}`,
    paint('dim', `    ${sanitize(facts.join(', '))}`),
  ]
}
