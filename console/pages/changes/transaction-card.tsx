import { useState } from 'preact/hooks'
import { openEvents } from '../../api/events.ts'
import { act, read, wordsOf } from '../../api/request.ts'
import type { Envelope } from '../../api/shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Output } from '../../parts/output.tsx'
import { ageOf } from '../../parts/times.ts'
import { parseDiff } from '../../parts/unified-diff.ts'
import { visibleLine } from '../../parts/visible-text.ts'
import { now } from '../../state/clock.ts'
import { say } from '../../state/shell.ts'
import { loadChanges, type Transaction } from './changes-state.ts'

/** What a transaction has staged: nothing of it is on disk before it lands. */
export function TransactionCard({ transaction: { id, at, paths } }: { readonly transaction: Transaction }) {
  const [diff, setDiff] = useState<string | undefined>(undefined)
  const [output, setOutput] = useState('')
  const [isBusy, setBusy] = useState(false)
  const path = `/v1/transactions/${encodeURIComponent(id)}`
  const show = async (): Promise<void> => {
    if (diff !== undefined) return setDiff(undefined)
    const { data } = await read<Envelope<{ readonly diff?: string }>>(path)
    setDiff(data?.diff ?? '')
  }
  const run = async (action: 'commit' | 'rollback', more: object = {}): Promise<void> => {
    setBusy(true)
    try {
      const { ok, error } = await act<Envelope>(`${path}/${action}`, more)
      say(ok ? (action === 'commit' ? 'Landed' : 'Dropped') : (error?.message ?? ''), { isBad: !ok })
    } catch (error) {
      say(wordsOf(error), { isBad: true })
    } finally {
      setBusy(false)
      await loadChanges()
    }
  }
  const validate = async (): Promise<void> => {
    setBusy(true)
    setOutput('')
    try {
      const body = { confirmed: true }
      for await (const { name, data } of await openEvents(`${path}/validate`, {
        signal: new AbortController().signal,
        body,
      })) {
        const { text, chunk, message, ok, error } = Object(data)
        if (name === 'answer') setOutput(before => `${before}${ok === false ? error?.message : 'Valid'}\n`)
        else setOutput(before => `${before}${text ?? chunk ?? message ?? ''}`)
      }
    } catch (error) {
      setOutput(before => `${before}${wordsOf(error)}`)
    } finally {
      setBusy(false)
    }
  }
  const files = paths === null ? 'damaged' : `${paths.length} ${paths.length === 1 ? 'file' : 'files'}`
  return (
    <section class="transaction" aria-label={`Transaction ${id}`}>
      <div class="transaction-head">
        <Badge meaning="asked" words="staged" />
        <span class="cut">
          <code>{visibleLine((paths ?? []).slice(0, 3).join(', '))}</code>
        </span>
        <span class="muted">
          {files} · {ageOf(now.value - Date.parse(at))} ago
        </span>
        <span class="end">
          <Button isSmall onPress={() => void show()}>
            {diff === undefined ? 'Open' : 'Close'}
          </Button>
          <Button isSmall isOff={isBusy} onPress={() => void validate()}>
            Validate
          </Button>
          <Button isSmall isOff={isBusy} onPress={() => void run('commit')} title="Asks in the inbox, hunk by hunk">
            Land a part…
          </Button>
          <Button isSmall meaning="allowed" isOff={isBusy} onPress={() => void run('commit', { confirmed: true })}>
            Land all
          </Button>
          <Button isSmall meaning="refused" isOff={isBusy} onPress={() => void run('rollback')}>
            Refuse
          </Button>
        </span>
      </div>
      {output !== '' && <Output title="Validators" text={output} />}
      {diff !== undefined &&
        parseDiff(diff).map(({ path: file, hunks }) => (
          <section key={file} class="card" aria-label={visibleLine(file)}>
            <header>
              <code>{visibleLine(file)}</code>
            </header>
            {hunks.map((hunk, place) => (
              <Diff key={place} path={file} hunk={hunk} />
            ))}
          </section>
        ))}
    </section>
  )
}
