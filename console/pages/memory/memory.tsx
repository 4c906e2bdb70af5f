import { useEffect, useState } from 'preact/hooks'
import { read, wordsOf } from '../../api/request.ts'
import type { Envelope } from '../../api/shapes.ts'
import { Diff } from '../../parts/diff.tsx'
import { Empty } from '../../parts/empty.tsx'
import { KeyValues } from '../../parts/key-values.tsx'
import { exactTime } from '../../parts/times.ts'
import { parseDiff } from '../../parts/unified-diff.ts'
import { visible, visibleLine } from '../../parts/visible-text.ts'
import { address, addressOf, go } from '../../state/address.ts'

interface Fix {
  readonly id: string
  readonly errorDescription?: string
  readonly rootCause?: string
  readonly solution?: string
  readonly language?: string
  readonly errorType?: string
  readonly createdAt?: string
  readonly similarity?: number
  readonly diff?: string
}

type Found = Envelope<{ readonly fixes: readonly Fix[]; readonly total: number }>

/** Past fixes, found by meaning. */
export function Memory() {
  const { id, query } = address.value
  const wanted = query['q'] ?? ''
  const [fixes, setFixes] = useState<readonly Fix[] | undefined>(undefined)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    setFixes(undefined)
    setProblem('')
    if (wanted === '') return
    read<Found>('/v1/memory', { query: wanted, limit: 20 }).then(
      ({ ok, data, error }) =>
        ok || error?.code === 'no_match' ? setFixes(data?.fixes ?? []) : setProblem(error?.message ?? ''),
      (error: unknown) => setProblem(wordsOf(error)),
    )
  }, [wanted])
  return (
    <div class="memory">
      <div class="page-head">
        <h1>Memory</h1>
        <form
          class="code-search wide"
          role="search"
          onSubmit={event => {
            event.preventDefault()
            const text = String(new FormData(event.currentTarget).get('q') ?? '').trim()
            go(addressOf('memory', undefined, { q: text }))
          }}
        >
          <input
            class="field small"
            name="q"
            aria-label="Search past fixes"
            placeholder="An error message, or what went wrong"
            defaultValue={wanted}
          />
          <button type="submit" class="button small">
            Search
          </button>
        </form>
      </div>
      <div class="scroll">
        {problem !== '' && <Empty title="The memory cannot be searched">{visibleLine(problem)}</Empty>}
        {id !== undefined ? (
          <FixDetail key={id} id={id} />
        ) : (
          <ul aria-label="Past fixes">
            {fixes?.map(({ id: fix, errorDescription = '', errorType, language, similarity }) => (
              <li key={fix}>
                <a class="list-row" href={addressOf('memory', fix, { q: wanted })}>
                  <span class="first">
                    <span class="what cut">{visibleLine(errorDescription)}</span>
                    {similarity !== undefined && <span class="muted">{Math.round(similarity * 100)}% alike</span>}
                  </span>
                  <span class="second muted">{visibleLine([errorType, language].filter(Boolean).join(' · '))}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
        {id === undefined && fixes?.length === 0 && (
          <Empty title="No past fix is like this">
            An agent records one with the tool remember when an error is fixed.
          </Empty>
        )}
        {id === undefined && wanted === '' && (
          <Empty title="What was fixed before">
            Paste an error message: fixes are found by meaning, on this machine alone. An agent finds them the same way.
          </Empty>
        )}
      </div>
    </div>
  )
}

/** One fix as a page. */
function FixDetail({ id }: { readonly id: string }) {
  const [fix, setFix] = useState<Fix | undefined>(undefined)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    read<Found>('/v1/memory', { id }).then(
      ({ data, error }) =>
        data?.fixes[0] ? setFix(data.fixes[0]) : setProblem(error?.message ?? 'There is no such fix'),
      (error: unknown) => setProblem(wordsOf(error)),
    )
  }, [id])
  if (problem !== '') return <Empty title="This fix cannot be shown">{visibleLine(problem)}</Empty>
  if (!fix) return null
  return (
    <section class="fix" aria-label={visibleLine(fix.errorDescription ?? id)}>
      <h1 class="detail-title">{visibleLine(fix.errorDescription ?? '')}</h1>
      <KeyValues
        rows={[
          ['cause', visible(fix.rootCause ?? '')],
          ['solution', <pre class="solution">{visible(fix.solution ?? '')}</pre>],
          ['kind', visibleLine([fix.errorType, fix.language].filter(Boolean).join(' · '))],
          ['recorded', fix.createdAt === undefined ? '' : exactTime(fix.createdAt)],
        ]}
      />
      {parseDiff(fix.diff ?? '').map(({ path, hunks }) => (
        <section key={path} class="card" aria-label={visibleLine(path)}>
          <header>
            <code>{visibleLine(path)}</code>
          </header>
          {hunks.map((hunk, at) => (
            <Diff key={at} path={path} hunk={hunk} />
          ))}
        </section>
      ))}
    </section>
  )
}
