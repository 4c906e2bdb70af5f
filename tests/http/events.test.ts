import { describe, expect, it } from 'vitest'
import { droppableSegments, dropSegments } from '../../src/machine/journal/drop-segments.ts'
import { openJournal } from '../../src/machine/journal/journal.ts'
import { workspaceState } from '../../src/machine/state/directory.ts'
import type { TemporaryWorkspace } from '../../src/testing/index.ts'
import { ALLOWING, useServer } from './rig.ts'

const http = useServer({ 'a.txt': 'one\n' }, { config: ALLOWING })

const read = (path: string) => http.current.json('POST', '/v1/calls', { body: { tool: 'read', input: { path } } })

interface Seen {
  readonly id: string
  readonly event: string
  readonly data: { readonly tool?: string; readonly claims?: readonly { readonly resource: string }[] }
}

/** Follows the events until so many of a name have come. */
async function follow(
  count: number,
  lastEventId?: string,
  ready: () => unknown = () => {},
  { name = 'call', of = http }: { readonly name?: string; readonly of?: typeof http } = {},
): Promise<readonly Seen[]> {
  const leaving = new AbortController()
  const response = await of.current.request('GET', '/v1/events', {
    headers: { accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: leaving.signal,
  })
  ready()
  let text = ''
  const seen = (): readonly Seen[] =>
    [...text.matchAll(/^(?:id: (\d+)\n)?event: (.*)\ndata: (.*)\n\n/gm)]
      .map(([, id = '', event = '', data = '']) => ({ id, event, data: JSON.parse(data) }))
      .filter(({ event }) => event === name)
  const decoder = new TextDecoder()
  if (count > 0 && response.body)
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true })
      if (seen().length >= count) break
    }
  leaving.abort()
  return seen().slice(0, count)
}

const paths = (events: readonly Seen[]) => events.map(({ data }) => data.claims?.[0]?.resource)

describe('GET /v1/events', () => {
  it('sends what happens, as the journal records it', async () => {
    await read('a.txt')
    const events = await follow(2, undefined, async () => {
      await read('b.txt')
      await read('c.txt')
    })
    expect(events.map(({ event }) => event)).toEqual(['call', 'call'])
    expect(paths(events)).toEqual(['b.txt', 'c.txt'])
  })

  it('goes on after the last event that a client has seen, without a gap and without a repetition', async () => {
    for (const name of ['1', '2', '3', '4']) await read(name)
    const first = await follow(2, '0')
    const rest = await follow(3, first.at(-1)?.id, () => read('5'))
    expect(paths([...first, ...rest])).toEqual(['1', '2', '3', '4', '5'])
  })

  it('names the questions that are open, at first and after each change', async () => {
    const pending = await http.current.kit.workspace.pending()
    const asker = { session: 's', task: 'default', contract: 'toolwright', tool: 'write', call: 'c' }
    const ask = () =>
      pending.ask({ digest: 'd', asker, why: 'no rule', risk: 'dangerous', input: {}, claims: [], changes: [] })
    const events = await follow(2, undefined, ask, { name: 'approvals' })
    expect(events.map(({ data }) => data)).toEqual([{ open: [] }, { open: pending.list().map(({ id }) => id) }])
  })

  it('refuses an id that no event has', async () => {
    const response = await http.current.request('GET', '/v1/events', { headers: { 'last-event-id': 'x' } })
    expect(response.status).toBe(400)
  })

  it('ends when the server stops', async () => {
    const response = await http.current.request('GET', '/v1/events')
    const ended = response.text()
    await http.current.server.stop()
    expect(await ended).toMatch(/^: open/)
  })
})

/** Fills a journal of several files, and removes the first. */
function forget(workspace: TemporaryWorkspace): void {
  const { journal: directory, journalLock: lock, head: headFile } = workspaceState(workspace.path, workspace.env)
  const options = { lock, headFile, segmentBytes: 1000 }
  const journal = openJournal(directory, options)
  for (let at = 0; at < 20; at++) journal.append({ type: 'note', text: 'x'.repeat(100) })
  journal.close()
  const [first] = droppableSegments(directory)
  dropSegments(directory, first?.name ?? '', options)
}

describe('a client that was away for long', () => {
  const of = useServer({}, { prepare: forget })

  it('is told which records are gone, and gets the rest', async () => {
    const [gap] = await follow(1, '0', undefined, { name: 'gap', of })
    expect(gap?.data).toEqual({ from: 1, to: expect.any(Number) })
    const [note] = await follow(1, '0', undefined, { name: 'note', of })
    expect(Number(note?.id)).toBe(Number(Object(gap?.data).to) + 1)
  })
})
