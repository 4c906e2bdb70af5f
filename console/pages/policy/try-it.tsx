import { useEffect, useState } from 'preact/hooks'
import type { PolicyCheck } from '../../api/policy-shapes.ts'
import { act, wordsOf } from '../../api/request.ts'
import { Badge, type Meaning } from '../../parts/badge.tsx'
import { policy } from './rules.ts'
import { visibleLine } from '../../parts/visible-text.ts'

const KINDS = ['command', 'read', 'write', 'create', 'host'] as const
type Kind = (typeof KINDS)[number]

const WORDS: Readonly<Record<PolicyCheck['verdict'], readonly [Meaning, string]>> = {
  allow: ['allowed', 'Allowed'],
  ask: ['asked', 'Asked'],
  deny: ['refused', 'Refused'],
}

/** Says what would be decided on a command, a path or a host, part by part. Nothing runs. */
export function TryIt({ start }: { readonly start: string }) {
  const [kind, setKind] = useState<Kind>(/^[\w.@-]+(\/[\w.*@-]+)+$/.test(start) ? 'write' : 'command')
  const [text, setText] = useState(start)
  const [check, setCheck] = useState<PolicyCheck | undefined>(undefined)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === '') return setCheck(undefined)
    let isLeft = false
    const timer = setTimeout(() => {
      act<PolicyCheck>('/v1/policy/check', { [kind]: wanted }).then(
        found => !isLeft && (setCheck(found), setProblem('')),
        (error: unknown) => !isLeft && (setCheck(undefined), setProblem(wordsOf(error))),
      )
    }, 200)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [kind, text])
  return (
    <section class="card" aria-labelledby="try-title">
      <header>
        <h2 id="try-title">Try it</h2>
        <span class="end">nothing runs</span>
      </header>
      <div class="body try">
        <div class="try-field">
          <select
            class="field"
            aria-label="What to try"
            value={kind}
            onChange={({ currentTarget }) => setKind(KINDS.find(each => each === currentTarget.value) ?? 'command')}
          >
            {KINDS.map(each => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
          <input
            class="field code"
            aria-label="A command or a path"
            placeholder={
              kind === 'command'
                ? 'make deploy && git push origin main'
                : kind === 'host'
                  ? 'example.com'
                  : 'src/price.ts'
            }
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        <div role="status" aria-live="polite">
          {problem !== '' && <p class="refused">{visibleLine(problem)}</p>}
          {check && <Verdict check={check} />}
        </div>
      </div>
    </section>
  )
}

function Verdict({ check: { verdict, why, rule, claims, atStart, missing } }: { readonly check: PolicyCheck }) {
  const [meaning, words] = WORDS[verdict]
  return (
    <ul class="verdicts">
      <li>
        <span class={`dot ${meaning}`} aria-hidden="true" />
        <span>
          <b>{words}</b>{' '}
          <span class="muted">
            — {rule ? `“${visibleLine(rule.says)}”, ${visibleLine(fileOf(rule.from))}` : visibleLine(why)}
          </span>
        </span>
      </li>
      {claims.map(({ action, resource, verdict: own, rule: ownRule }, at) => (
        <li key={at}>
          <span class={`dot ${WORDS[own][0]}`} aria-hidden="true" />
          <span>
            <code>{visibleLine(`${action} ${resource === '' ? '.' : resource}`)}</code>
            <br />
            <span class="muted">
              {ownRule === undefined ? 'no rule · the default decides' : visibleLine(wordsOfRule(ownRule))}
            </span>
          </span>
          <Badge meaning={WORDS[own][0]} words={WORDS[own][1].toLowerCase()} />
        </li>
      ))}
      {atStart.map(({ programs, verdict: own, command, from }, at) => (
        <li key={`start-${at}`}>
          <span class={`dot ${WORDS[own][0]}`} aria-hidden="true" />
          <span>
            <code>{visibleLine(programs.join(', '))}</code>
            <br />
            <span class="muted">
              judged again when it starts: {visibleLine(command)}, {visibleLine(fileOf(from))}
            </span>
          </span>
          <Badge meaning={WORDS[own][0]} words={WORDS[own][1].toLowerCase()} />
        </li>
      ))}
      {verdict !== 'allow' && missing.length > 0 && (
        <li>
          <span class="dot quiet" aria-hidden="true" />
          <span class="muted">
            The permission that would allow it: <code>{visibleLine(missing.join(', '))}</code>
          </span>
        </li>
      )}
    </ul>
  )
}

/** A file by its name and line; the whole path is on the row of the rule. */
const fileOf = (from: string): string => from.replace(/^\/.*\//, '')

/** A rule as its file says it, with the place; an answer of a person by its id. */
function wordsOfRule(id: string): string {
  const known = policy.value?.rules.find(rule => rule.id === id)
  return known?.says === undefined ? id : `“${known.says}”, ${fileOf(known.from ?? '')}`
}
