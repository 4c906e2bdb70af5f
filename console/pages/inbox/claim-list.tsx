import { useEffect, useState } from 'preact/hooks'
import type { PolicyCheck } from '../../api/policy-shapes.ts'
import { act } from '../../api/request.ts'
import { Badge, type Meaning } from '../../parts/badge.tsx'
import { visibleLine } from '../../parts/visible-text.ts'
import type { Asked } from '../../state/questions.ts'

interface ClaimRow {
  readonly action: string
  readonly resources: readonly string[]
  readonly meaning: Meaning
  readonly words: string
}

/** What the call touches, with the rule that decides on each; what is allowed anyway comes last, in one row. */
export function ClaimList({ question }: { readonly question: Asked }) {
  const check = useCheck(question)
  return (
    <ul class="claims" aria-label="What it touches">
      {rowsOf(question, check).map(({ action, resources, meaning, words }) => (
        <li key={`${action} ${resources[0]}`}>
          <Badge meaning={meaning} words={action} />
          <code class="cut" title={visibleLine(resources.join(', '))}>
            {visibleLine(resources.join(', '))}
          </code>
          <span class="muted">{visibleLine(words)}</span>
        </li>
      ))}
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

const MEANINGS = { allow: 'allowed', ask: 'asked', deny: 'refused' } as const
const ORDER: readonly Meaning[] = ['refused', 'asked', 'quiet', 'allowed']

function rowsOf({ claims }: Asked, check: PolicyCheck | undefined): readonly ClaimRow[] {
  const rows = new Map<string, ClaimRow & { readonly resources: string[] }>()
  for (const { action, resource } of claims) {
    const judged = check?.claims.find(each => each.action === action && each.resource === resource)
    const meaning = judged ? MEANINGS[judged.verdict] : 'quiet'
    const words = judged ? (judged.rule ?? `no rule · default: ${judged.verdict}`) : ''
    const name = resource === '' ? '.' : resource
    const key = meaning === 'allowed' ? `${action} ${words}` : `${action} ${name}`
    const row = rows.get(key) ?? { action, resources: [], meaning, words }
    if (!row.resources.includes(name)) row.resources.push(name)
    rows.set(key, row)
  }
  return [...rows.values()].toSorted((one, other) => ORDER.indexOf(one.meaning) - ORDER.indexOf(other.meaning))
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
