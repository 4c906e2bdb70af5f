import { useEffect, useState } from 'preact/hooks'
import { act } from '../../api/request.ts'
import type { PolicyCheck } from '../../api/policy-shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { visibleLine } from '../../parts/visible-text.ts'
import type { Asked } from '../../state/questions.ts'

/** What the call touches, claim by claim, with the rule that decides on each. */
export function ClaimList({ question }: { readonly question: Asked }) {
  const check = useCheck(question)
  const judged = check?.claims ?? []
  return (
    <ul class="claims" aria-label="What it touches">
      {question.claims.map(({ action, resource }, at) => {
        const { verdict, rule } = judged.find(each => each.action === action && each.resource === resource) ?? {}
        const meaning = verdict === 'allow' ? 'allowed' : verdict === 'deny' ? 'refused' : 'asked'
        return (
          <li key={at}>
            <Badge meaning={check ? meaning : 'quiet'} words={action} />
            <code class="cut" title={visibleLine(resource)}>
              {visibleLine(resource === '' ? '.' : resource)}
            </code>
            <span class="muted">
              {check && (rule === undefined ? `no rule · default: ${verdict ?? 'ask'}` : visibleLine(rule))}
            </span>
          </li>
        )
      })}
      {check?.atStart.map(({ programs, verdict, command }, at) => (
        <li key={`start-${at}`}>
          <Badge meaning={verdict === 'deny' ? 'refused' : 'asked'} words="starts" />
          <code class="cut">{visibleLine(programs.join(', '))}</code>
          <span class="muted">
            {verdict === 'deny' ? 'refuses' : 'asks for'} {visibleLine(command)} when it starts
          </span>
        </li>
      ))}
    </ul>
  )
}

function useCheck({ asker, input, id, state }: Asked): PolicyCheck | undefined {
  const [check, setCheck] = useState<PolicyCheck | undefined>(undefined)
  useEffect(() => {
    let isLeft = false
    setCheck(undefined)
    if (state === 'open')
      act<PolicyCheck>('/v1/policy/check', { call: { tool: asker.tool, input } }).then(
        found => !isLeft && setCheck(found),
        () => {},
      )
    return () => {
      isLeft = true
    }
  }, [id])
  return check
}
