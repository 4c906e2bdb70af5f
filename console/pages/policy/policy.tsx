import { useEffect, useState } from 'preact/hooks'
import { Badge, type Meaning } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { clockOf, daysUntil, exactTime } from '../../parts/times.ts'
import { visibleLine } from '../../parts/visible-text.ts'
import { address } from '../../state/address.ts'
import { now } from '../../state/clock.ts'
import { useKeys } from '../../state/keys.ts'
import { loadPolicy, policy, policyProblem, removeRule, rulesOf, switchRule, type Rule } from './rules.ts'
import { RuleForm } from './rule-form.tsx'
import { TryIt } from './try-it.tsx'

const MEANINGS: Readonly<Record<Rule['verdict'], Meaning>> = { allow: 'allowed', ask: 'asked', deny: 'refused' }

/** What is allowed, asked and refused, and by which rule. */
export function Policy() {
  const { query, id } = address.value
  const [isAdding, setAdding] = useState(query['add'] !== undefined)
  useEffect(() => void loadPolicy(), [])
  useKeys([{ key: '+', label: 'add a rule', shown: true, run: () => setAdding(true) }])
  const { value } = policy
  const rules = value ? rulesOf(value) : []
  const look = rules.filter(rule => rule.isStored && !rule.isOff && rule.used === 0)
  return (
    <div class="policy">
      <div class="page-head">
        <h1>Policy</h1>
        <span class="muted cut">
          {rules.length} {rules.length === 1 ? 'rule' : 'rules'} · the strictest one that matches decides · silence asks
        </span>
        <span class="end">
          <Button isSmall keyName="+" onPress={() => setAdding(true)}>
            Add a rule
          </Button>
        </span>
      </div>
      <div class="scroll columns">
        <section class="card" aria-labelledby="rules-title">
          <header>
            <h2 id="rules-title">Rules</h2>
            <span class="end">used in the last 1,000 calls</span>
          </header>
          {policyProblem.value !== '' && (
            <Empty title="The rules cannot be read">{visibleLine(policyProblem.value)}</Empty>
          )}
          <table class="rules" aria-label="Rules">
            <tbody>
              {rules.map(rule => (
                <RuleRow key={rule.id} rule={rule} isOpen={rule.id === id} />
              ))}
              {Object.entries(value?.defaults ?? {}).map(([action, verdict]) => (
                <tr key={`default-${action}`}>
                  <td class="badge-cell">
                    <Badge meaning="quiet" words="default" />
                  </td>
                  <td class="muted">{action}</td>
                  <td>{{ allow: 'allowed', ask: 'asked', deny: 'refused' }[verdict] ?? verdict}</td>
                  <td />
                  <td class="muted">{action === 'read' && value ? times(value.byDefault['allow'] ?? 0) : ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <div class="column">
          <TryIt start={query['try'] ?? ''} />
          {look.length > 0 && (
            <section class="card" aria-labelledby="look-title">
              <header>
                <h2 id="look-title">Worth a look</h2>
                <span class="end">{look.length}</span>
              </header>
              <ul class="look">
                {look.map(rule => (
                  <li key={rule.id}>
                    <span class="dot quiet" aria-hidden="true" />
                    <span>
                      <code>
                        {rule.verdict} {visibleLine(`${rule.action} ${rule.target}`)}
                      </code>{' '}
                      decided none of the last 1,000 calls
                    </span>
                    <Button isSmall onPress={() => void removeRule(rule.id)}>
                      Remove
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
      {isAdding && <RuleForm query={query} onClose={() => setAdding(false)} />}
    </div>
  )
}

const times = (count: number): string => (count === 0 ? 'never' : count === 1 ? '1 time' : `${count} times`)

function RuleRow({ rule, isOpen }: { readonly rule: Rule; readonly isOpen: boolean }) {
  const { id, verdict, action, target, from, why, expiresAt, used, last, isStored, isOff } = rule
  return (
    <tr
      class={[isOpen && 'chosen', isOff && 'off'].filter(Boolean).join(' ')}
      title={why === undefined ? undefined : visibleLine(why)}
    >
      <td class="badge-cell">
        <Badge meaning={isOff ? 'quiet' : MEANINGS[verdict]} words={isOff ? `${verdict}, off` : verdict} />
      </td>
      <td class="muted action">{visibleLine(action)}</td>
      <td>
        <code class="target">{visibleLine(target)}</code>
      </td>
      <td class="muted from">
        {visibleLine(from.replace(/^\/.*\//, ''))}
        {expiresAt !== undefined && (
          <span title={exactTime(expiresAt)}> · {Math.max(0, daysUntil(expiresAt, now.value))} days left</span>
        )}
      </td>
      <td class="muted used" title={last === undefined ? undefined : exactTime(last)}>
        {times(used)}
        {last !== undefined && <span class="wide-only"> · {clockOf(last)}</span>}
        {isStored && (
          <span class="rule-actions">
            <button type="button" class="button plain" onClick={() => void switchRule(id, isOff)}>
              {isOff ? 'On' : 'Off'}
            </button>
            <button type="button" class="button plain" onClick={() => void removeRule(id)}>
              Remove
            </button>
          </span>
        )}
      </td>
    </tr>
  )
}
