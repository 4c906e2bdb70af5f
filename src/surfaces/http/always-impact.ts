import { ANY_VERSION, compileApproval } from '../../guards/approval/approval.ts'
import { matchApproval } from '../../guards/approval/matches.ts'
import { proposeRule } from '../../guards/approval/narrowest-rule.ts'
import { loadCommandParser } from '../../guards/policy/command-parser.ts'
import { ToolError } from '../../kernel/error.ts'
import type { Claim } from '../../kernel/claim.ts'
import type { PendingApproval } from '../../kernel/pending-approval.ts'
import { isCall } from '../../machine/journal/record.ts'
import { newestFirst } from '../../machine/journal/segments.ts'
import type { Toolkit } from '../../toolkit.ts'

/** The calls that are looked at. */
const LAST_CALLS = 1000
const DAY_MS = 86_400_000

/** Says what `always` would remember, and which of the last calls that would have allowed. */
export async function alwaysImpact(kit: Toolkit, { asker, claims, always }: PendingApproval) {
  await loadCommandParser()
  const tool = `${asker.contract}/${asker.tool}`
  const proposal = always === undefined ? undefined : proposeRule({ tool, claims: claims.filter(isAsked) })
  if (!proposal)
    throw new ToolError('not_found', "'always' is not offered for this question", { hint: 'Answer yes or no' })
  const approval = await compileApproval({
    id: 'proposed',
    tool,
    grants: proposal.grants,
    scope: 'user',
    who: '',
    at: 0,
    enabled: true,
    made: ANY_VERSION,
  })
  let [looked, allowed, refused] = [0, 0, 0]
  for (const record of newestFirst(kit.state.journal)) {
    if (looked === LAST_CALLS) break
    if (!isCall(record)) continue
    looked++
    const asked = record.claims.filter(isAsked)
    const call = { tool: record.tool, made: { major: 0, effects: [] }, input: '', claims: asked, stated: asked }
    if (asked.length === 0 || !matchApproval([approval], { ...call, session: '', workspace: '' }, 0)) continue
    allowed++
    if (record.code === 'rejected') refused++
  }
  const rule = proposal.text.replace(/^toolwright\//, '')
  return { rule, days: Math.round(kit.config.config.approvals.expireMs / DAY_MS), looked, allowed, refused }
}

/** A claim that any call of the tool has is not asked about. */
const isAsked = ({ standing }: Claim): boolean => standing !== true
