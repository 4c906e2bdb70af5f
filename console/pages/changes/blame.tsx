import { useEffect, useState } from 'preact/hooks'
import { read, wordsOf } from '../../api/request.ts'
import { Empty } from '../../parts/empty.tsx'
import { languageOf, tokensOf } from '../../parts/syntax.ts'
import { clockOf, exactTime } from '../../parts/times.ts'
import { visible, visibleLine } from '../../parts/visible-text.ts'
import { addressOf } from '../../state/address.ts'
import { nameOf } from '../../state/calls.ts'
import type { Commit } from './changes-state.ts'

interface BlameAnswer {
  readonly path: string
  readonly lines: readonly { readonly text: string; readonly commit?: string }[]
  readonly commits: readonly Commit[]
}

/** A file with the agent and the call of each line. */
export function Blame({ path }: { readonly path: string }) {
  const [answer, setAnswer] = useState<BlameAnswer | undefined>(undefined)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    read<BlameAnswer>('/v1/blame', { path }).then(setAnswer, (error: unknown) => setProblem(wordsOf(error)))
  }, [path])
  const commits = new Map(answer?.commits.map(commit => [commit.id, commit]))
  const tokens = tokensOf(answer?.lines.map(({ text }) => text).join('\n') ?? '', languageOf(path))
  return (
    <section class="blame" aria-label={`Blame of ${visibleLine(path)}`}>
      <div class="page-head">
        <a class="link" href={addressOf('changes')}>
          ‹ Changes
        </a>
        <h1>
          Who wrote <code>{visibleLine(path)}</code>
        </h1>
      </div>
      <div class="scroll" tabIndex={0}>
        {problem !== '' && <Empty title="This file cannot be shown">{visibleLine(problem)}</Empty>}
        <table class="blame-lines">
          <tbody>
            {answer?.lines.map(({ text, commit: id }, at) => {
              const isFirst = at === 0 || answer.lines[at - 1]?.commit !== id
              const commit = id === undefined ? undefined : commits.get(id)
              return (
                <tr key={at} class={isFirst ? 'first' : ''}>
                  <td class="author cut">
                    {isFirst &&
                      (commit ? <AuthorLink commit={commit} /> : <span class="muted">before Toolwright</span>)}
                  </td>
                  <td class="number code">{at + 1}</td>
                  <td class="text code">
                    {(tokens?.[at] ?? [{ text, kind: undefined }]).map((token, place) => (
                      <span key={place} class={token.kind === undefined ? '' : `t-${token.kind}`}>
                        {visible(token.text)}
                      </span>
                    ))}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const AuthorLink = ({ commit: { id, at, call } }: { readonly commit: Commit }) => (
  <a class="link" href={addressOf('changes', id)} title={exactTime(at)}>
    {call
      ? visibleLine([nameOf(call), call.task === 'default' ? undefined : call.task].filter(Boolean).join(' · '))
      : id.slice(-6)}{' '}
    <span class="muted">{clockOf(at)}</span>
  </a>
)
