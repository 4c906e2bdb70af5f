import { useEffect, useState } from 'preact/hooks'
import { read, wordsOf } from '../../api/request.ts'
import type { Envelope } from '../../api/shapes.ts'
import { Empty } from '../../parts/empty.tsx'
import { Output } from '../../parts/output.tsx'
import { visibleLine } from '../../parts/visible-text.ts'
import { address, addressOf, go } from '../../state/address.ts'
import { CallGraph } from './call-graph.tsx'
import { compareCommits, findSymbols, muchCalled, neighboursOf, type CodeNode, type Neighbours } from './graph-data.ts'

/** Who calls a symbol and what it calls, as a graph to walk. */
export function Code() {
  const { id, query } = address.value
  const commit = query['commit']
  const [names, setNames] = useState<readonly string[]>([])
  const [found, setFound] = useState<readonly CodeNode[]>([])
  const [neighbours, setNeighbours] = useState<Neighbours | undefined>(undefined)
  const [focus, setFocus] = useState('')
  const [problem, setProblem] = useState('')
  const [isLoading, setLoading] = useState(false)
  const centre = async (node: CodeNode): Promise<void> => {
    setLoading(true)
    try {
      setNeighbours(await neighboursOf(node, commit))
      setFocus(node.id)
      setProblem('')
    } catch (error) {
      setProblem(wordsOf(error))
    } finally {
      setLoading(false)
    }
  }
  useEffect(() => {
    muchCalled().then(setNames, () => {})
  }, [])
  useEffect(() => {
    if (id === undefined) return
    setLoading(true)
    findSymbols(id, commit).then(
      nodes => {
        setFound(nodes)
        setLoading(false)
        const [first] = nodes
        if (first) void centre(first)
        else setProblem(`There is no symbol '${id}' in the graph`)
      },
      (error: unknown) => (setProblem(wordsOf(error)), setLoading(false)),
    )
  }, [id, commit])
  const search = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const name = String(fields.get('name') ?? '').trim()
    const at = String(fields.get('commit') ?? '').trim()
    if (name !== '') go(addressOf('code', name, { commit: at === '' ? undefined : at }))
  }
  return (
    <div class="code-page">
      <div class="page-head">
        <h1>Code</h1>
        <form class="code-search" onSubmit={search}>
          <input
            class="field small code"
            name="name"
            aria-label="Symbol"
            placeholder="Symbol"
            defaultValue={id ?? ''}
          />
          <input
            class="field small code"
            name="commit"
            aria-label="At commit"
            placeholder="at commit (now)"
            defaultValue={commit ?? ''}
          />
          <button type="submit" class="button small">
            Open
          </button>
        </form>
        <span class="end muted">
          <Freshness />
        </span>
      </div>
      <div class="scroll graph-scroll">
        {problem !== '' && <Empty title="No graph to show">{visibleLine(problem)}</Empty>}
        {found.length > 1 && (
          <p class="several">
            {found.length} symbols have this name:{' '}
            {found.map(node => (
              <button key={node.id} type="button" class="button plain code" onClick={() => void centre(node)}>
                {visibleLine(node.path)}
              </button>
            ))}
          </p>
        )}
        {neighbours && problem === '' && (
          <section aria-label={`${visibleLine(neighbours.centre.name)}: callers and callees`}>
            <p class="graph-legend muted">
              <b class="strong">{visibleLine(neighbours.centre.name)}</b> · {neighbours.callers.length} callers ·{' '}
              {neighbours.callees.length} callees{neighbours.isPartial ? ' · there may be more' : ''} · arrows walk,
              Enter centres, dashed: possible
            </p>
            <CallGraph neighbours={neighbours} focus={focus} onFocus={setFocus} onCentre={node => void centre(node)} />
          </section>
        )}
        {!neighbours && problem === '' && !isLoading && (
          <Empty title="Walk the calls of a symbol">
            Type a name above: its callers stand left of it, what it calls right of it.
            {names.length > 0 && (
              <span class="several">
                {names.map(name => (
                  <a key={name} class="link code" href={addressOf('code', name)}>
                    {visibleLine(name)}
                  </a>
                ))}
              </span>
            )}
          </Empty>
        )}
        {isLoading && !neighbours && <p class="empty">The graph is being built…</p>}
        <CommitDifference />
      </div>
    </div>
  )
}

/** Whether the index is current. */
function Freshness() {
  const [words, setWords] = useState('')
  useEffect(() => {
    read<
      Envelope<{
        readonly total?: number
        readonly current?: boolean
        readonly status?: { readonly state?: string; readonly pending?: number }
      }>
    >('/v1/index').then(
      ({ data }) => {
        const { total = 0, current, status } = data ?? {}
        setWords(`${total} files indexed · ${current ? 'current' : (status?.state ?? 'behind')}`)
      },
      () => {},
    )
  }, [])
  return <>{visibleLine(words)}</>
}

/** What changed in the graph between two commits. */
function CommitDifference() {
  const [text, setText] = useState('')
  const compare = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    compareCommits(String(fields.get('from') ?? 'HEAD~1'), String(fields.get('to') ?? '')).then(
      data => setText(JSON.stringify(data, null, 2)),
      (error: unknown) => setText(wordsOf(error)),
    )
  }
  return (
    <details class="commit-difference">
      <summary>Difference of two commits</summary>
      <form class="code-search" onSubmit={compare}>
        <input class="field small code" name="from" aria-label="From commit" defaultValue="HEAD~1" />
        <input class="field small code" name="to" aria-label="To commit" placeholder="now" />
        <button type="submit" class="button small">
          Open
        </button>
      </form>
      {text !== '' && <Output title="Difference" text={text} />}
    </details>
  )
}
