import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { times, type Bench, type Goal, type Row } from './bench.ts'
import { corpora } from './corpora.ts'
import { ripgrepLines, type GrepAnswer } from './different-lines.ts'
import type { Answer, StdioServer } from './mcp-servers.ts'
import { mcpWorld, NOTE_LINE, type McpWorld } from './mcp-world.ts'
import { interleave, median, quantile, type Work } from './sample.ts'

/** Calls of the quick servers in turn, after as many that make the engine compile what they run. */
const ROUNDS = 300
/** Calls of a server that takes hundreds of milliseconds; it is never the fastest. */
const SLOW = { rounds: 10, warmUp: 2 }
const RARE = 'ɵɵdirectiveInject'
/** Of its lines, on every side. */
const SHOWN = 5

type Peer = 'ours' | 'reference' | 'commander' | 'ripgrep'

/** One thing that a model does, as each server does it. */
interface Task {
  readonly what: string
  readonly calls: Readonly<Partial<Record<Peer, () => Promise<Answer>>>>
  /** Reports whether the answer is right; a fast wrong one fails. */
  readonly isRight: (answer: Answer, peer: Peer) => boolean
  /** Ours is at most so many times the fastest of the others, or this one. */
  readonly most: number
  /** The slowest twentieth of ours is held to twice the goal as well. */
  readonly beside?: Peer
  /** Ours has at most as many characters as the shortest of the others. */
  readonly isShorter?: boolean
}

/** What a model waits for and reads, beside other servers over the same protocol. */
export const mcp: Bench = {
  about: 'reads, edits, listings and searches over MCP beside the reference filesystem server and others',
  async run() {
    const rows: Row[] = []
    const goals: Goal[] = []
    {
      await using world = await mcpWorld()
      for (const task of tasks(world)) await measure(world, task, rows, goals)
    }
    const [medium] = corpora(['medium'])
    if (!medium) throw new Error('There is no medium corpus')
    await using searched = await mcpWorld(medium.path)
    await settled(searched.ours)
    await measure(searched, await rareGrep(searched, goals), rows, goals)
    return {
      rows,
      goals,
      notes: [
        `p50 of ${ROUNDS} calls each, in turn, after as many, from the request to the answer; commander and ripgrep: ${SLOW.rounds} calls after ${SLOW.warmUp}`,
        'cpu ms: processor time of the server for one call, without the process of the workspace; characters are those of the text that a model gets',
        'the reference server has no ranged reads: it reads the first lines up to the range',
        `grep: ${RARE} in ${medium.path.split('/').at(-1)} (about 10,000 files)`,
      ],
    }
  },
}

async function measure(
  servers: McpWorld,
  { what, calls, isRight, most, beside, isShorter }: Task,
  rows: Row[],
  goals: Goal[],
): Promise<void> {
  const texts: Partial<Record<Peer, string>> = {}
  const works = Object.fromEntries(
    Object.entries(calls).map(([peer, call]) => [
      peer,
      async () => {
        const answer = await call()
        texts[peer as Peer] = answer.text
        if (answer.isError || !isRight(answer, peer as Peer))
          throw new Error(`${what}: ${peer} answered ${answer.text.slice(0, 500)}`)
      },
    ]),
  )
  const quick = await timed(works, ['ours', 'reference'], servers, { rounds: ROUNDS, warmUp: ROUNDS })
  const slow = await timed(works, ['commander', 'ripgrep'], servers, SLOW)
  const samples: Readonly<Record<string, Float64Array>> = { ...quick.samples, ...slow.samples }
  for (const [peer, taken] of Object.entries(samples))
    rows.push({
      what: `${what}, ${peer}`,
      cells: {
        'p50 ms': median(taken) / 1000,
        'p95 ms': quantile(taken, 0.95) / 1000,
        'cpu ms': { ...quick.processor, ...slow.processor }[peer] ?? Number.NaN,
        characters: texts[peer as Peer]?.length ?? 0,
      },
    })
  const { ours: _, ...others } = samples
  goals.push(...timeGoals(what, most, samples, beside))
  if (!isShorter) return
  const own = texts.ours?.length ?? Infinity
  const least = Math.min(...Object.keys(others).map(peer => texts[peer as Peer]?.length ?? Infinity))
  goals.push({
    what: `${what}, characters`,
    limit: `≤ ${least}`,
    measured: String(own),
    met: own <= least,
  })
}

function timeGoals(
  what: string,
  most: number,
  { ours = new Float64Array(), ...others }: Readonly<Record<string, Float64Array>>,
  beside: Peer | undefined,
): readonly Goal[] {
  const fastest = Math.min(...Object.values(others).map(median))
  const peer = median(others[beside ?? ''] ?? Float64Array.of(fastest))
  const name = beside ?? 'the fastest other'
  const goal = (part: number, limit: number): Goal => {
    const ratio = quantile(ours, part) / peer
    const which = part === 0.5 ? what : `${what}, p${part * 100}`
    return { what: which, limit: `≤ ${times(limit)} ${name}`, measured: times(ratio), met: ratio <= limit }
  }
  return [goal(0.5, most), ...(beside ? [goal(0.95, most * 2)] : [])]
}

/** Times the calls of some of the servers in turn, and the processor time that a server takes for one. */
async function timed(
  works: Readonly<Record<string, Work>>,
  peers: readonly Peer[],
  servers: McpWorld,
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number },
) {
  const some = Object.fromEntries(Object.entries(works).filter(([peer]) => peers.includes(peer as Peer)))
  const used = () => Object.keys(some).map(peer => [peer, servers[peer as Peer].processorMs()] as const)
  await interleave(some, { rounds: warmUp })
  const before = Object.fromEntries(used())
  const samples = await interleave(some, { rounds })
  const processor = Object.fromEntries(used().map(([peer, now]) => [peer, (now - (before[peer] ?? 0)) / rounds]))
  return { samples, processor }
}

function tasks(world: McpWorld): readonly Task[] {
  const { root, ours, reference, commander } = world
  const at = (path: string) => join(root, path)
  const readLine = 'a line of a long text'
  const asked = Array.from({ length: 20 }, (_, line) => `${1_001 + line}: ${readLine}`)
  const listed = readdirSync(at('shop'))
  return [
    {
      what: 'read of 1 kB',
      calls: {
        ours: () => ours.call('read', { path: 'notes.txt' }),
        reference: () => reference.call('read_text_file', { path: at('notes.txt') }),
        commander: () => commander.call('read_file', { path: at('notes.txt') }),
      },
      isRight: ({ text }) => text.includes('state: before') && text.split(NOTE_LINE).length === 41,
      most: 1,
      beside: 'reference',
    },
    {
      what: 'read of 20 lines out of 2,000',
      calls: {
        ours: () => ours.call('read', { path: 'long.txt', from: 1_001, to: 1_020 }),
        reference: () => reference.call('read_text_file', { path: at('long.txt'), head: 1_020 }),
        commander: () => commander.call('read_file', { path: at('long.txt'), offset: 1_000, length: 20 }),
      },
      isRight: ({ text }) => asked.every(line => text.includes(line)) && !text.includes(`1021: ${readLine}`),
      most: 1.2,
      isShorter: true,
    },
    {
      what: 'list of a directory of 300 files',
      calls: {
        ours: () => ours.call('list', { path: 'shop' }),
        reference: () => reference.call('list_directory', { path: at('shop') }),
        commander: () => commander.call('list_directory', { path: at('shop'), depth: 1 }),
      },
      isRight: ({ text }) => listed.every(name => text.includes(name)),
      most: 1.2,
      isShorter: true,
    },
    edits(world, 'edit of a text file', { ours: 'note1.txt', reference: 'note2.txt', commander: 'note3.txt' }, [
      'state: before',
      'state: after',
    ]),
    edits(
      world,
      'edit of a Python file',
      { ours: 'shop/part1.py', reference: 'shop/part2.py', commander: 'shop/part3.py' },
      ['One of many.', 'One of some.'],
    ),
  ]
}

/** There and back again, one call a round, each server in a file where nothing else has changed. */
function edits(
  { root, ours, reference, commander }: McpWorld,
  what: string,
  paths: Readonly<Record<'ours' | 'reference' | 'commander', string>>,
  [before, after]: readonly [string, string],
): Task {
  const textOf = (peer: keyof typeof paths) => readFileSync(join(root, paths[peer]), 'utf8')
  const expected: Partial<Record<Peer, string>> = {}
  const noted = <T>(peer: keyof typeof paths, call: (old: string, next: string) => T): T => {
    const text = textOf(peer)
    const [old, next] = text.includes(before) ? [before, after] : [after, before]
    expected[peer] = text.replace(old, next)
    return call(old, next)
  }
  return {
    what,
    calls: {
      ours: () => noted('ours', (old, next) => ours.call('edit', { path: paths.ours, edits: [{ old, new: next }] })),
      reference: () =>
        noted('reference', (oldText, newText) =>
          reference.call('edit_file', { path: join(root, paths.reference), edits: [{ oldText, newText }] }),
        ),
      commander: () =>
        noted('commander', (old, next) =>
          commander.call('edit_block', {
            file_path: join(root, paths.commander),
            old_string: old,
            new_string: next,
          }),
        ),
    },
    isRight: (_, peer) => peer !== 'ripgrep' && textOf(peer) === expected[peer],
    most: 1.2,
    isShorter: true,
  }
}

async function rareGrep({ root, ours, ripgrep }: McpWorld, goals: Goal[]): Promise<Task> {
  const what = 'grep of a rare word'
  const grep = () => ours.call('grep', { pattern: RARE, limit: SHOWN })
  const { text: first } = await grep()
  await ripgrepLines(what, root, { pattern: RARE }, linesOf(first), SHOWN, goals)
  return {
    what,
    calls: {
      ours: grep,
      ripgrep: () =>
        ripgrep.call('advanced-search', { pattern: RARE, path: root, fixedStrings: true, maxResults: SHOWN }),
    },
    isRight: ({ text }, peer) => (peer === 'ours' ? text === first : text.includes(RARE)),
    most: 0.05,
  }
}

/** What a model reads of our answer: the number of all lines, and below the name of each file some of them. */
function linesOf(text: string): GrepAnswer {
  const [head = '', ...rest] = text.split('\n')
  const matches: GrepAnswer['matches'][number][] = []
  let path = ''
  for (const shown of rest) {
    const [, line, found = ''] = /^(\d+): (.*)$/.exec(shown) ?? []
    if (line === undefined) path = shown
    else matches.push({ path, line: Number(line), text: found })
  }
  return { total: Number(/ total (\d+)/.exec(head)?.[1]), matches }
}

/** Waits until the process of the workspace has the index: what is measured is warm. */
async function settled(ours: StdioServer): Promise<void> {
  for (let calls = 0; calls < 100; calls++) {
    const start = Date.now()
    await ours.call('grep', { pattern: 'no such word anywhere' })
    if (Date.now() - start < 25) return
    await new Promise(resolve => setTimeout(resolve, 300))
  }
}
