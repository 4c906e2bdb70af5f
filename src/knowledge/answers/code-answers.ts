import type { AskOptions } from '../../kernel/ask-options.ts'
import { ToolError } from '../../kernel/error.ts'
import { itemQueue } from '../../kernel/item-queue.ts'
import { deadlineIn } from '../code/servers/deadline.ts'
import { openEffects } from '../code/effects/open-effects.ts'
import type { EffectsWork } from '../code/effects/types.ts'
import { openServers } from '../code/servers/open-servers.ts'
import type { ServerMemory } from '../code/servers/server-memory.ts'
import type { RunningServer, ServerClient, Servers } from '../code/servers/types.ts'
import type { Tree } from '../tree/tree.ts'
import type { Environment } from '../../machine/state/directory.ts'
import type { Root } from '../../machine/workspace/root.ts'
import {
  heldServer,
  isServerMethod,
  type HoldEvent,
  type HoldQuestion,
  type PutQuestion,
  type ServerOptions,
} from './held-server.ts'
import type { EffectsKnowledge, ServerKnowledge } from './knowledge.ts'

interface CodeParts {
  readonly root: Root
  readonly tree: Tree
  readonly env: Environment
  readonly memory: ServerMemory
  readonly lingerMs?: number
}

/** Servers with one set of start options, and the number of their users. */
interface Pool {
  readonly servers: Servers
  readonly effects: EffectsWork
  users: number
}

/** Servers end with their last client, unless it returns soon. */
const LINGER_MS = 10_000
/** A late server keeps running: a repeated command finds it further along. */
const LATE_LINGER_MS = 5 * 60_000
/** Start options to keep servers for; beyond that, the oldest servers end. */
const MOST_POOLS = 3

interface CodeAnswers {
  readonly servers: ServerKnowledge
  readonly effects: EffectsKnowledge
  processes(): Promise<readonly RunningServer[]>
  clients(count: number): void
  close(): Promise<void>
}

/**
 * Answers by language servers. Callers know what may be read and what is staged: server answers are returned unchanged,
 * because the caller could also ask a server of its own.
 */
export function codeAnswers(parts: CodeParts): CodeAnswers {
  const { lingerMs = LINGER_MS } = parts
  const pools = openPools(parts)
  const heldServers = new Map<number, { readonly server: ServerClient; readonly isBrief: boolean }>()
  let lastId = 0
  /** The last request of a command was late, and its answer was not received. */
  let isOwed = false
  const noteLate = (isBrief: boolean, error: unknown) => {
    isOwed ||= isBrief && error instanceof ToolError && error.code === 'timeout'
  }

  function hold(question: HoldQuestion, { signal }: AskOptions): AsyncIterable<HoldEvent> {
    const events = itemQueue<HoldEvent>()
    const release = Promise.withResolvers<void>()
    if (signal?.aborted) release.resolve()
    signal?.addEventListener('abort', () => release.resolve(), { once: true })
    void holdServer(question, signal, { push: events.push, released: release.promise }).then(
      () => events.end(),
      (error: unknown) => {
        noteLate(question.isBrief === true, error)
        events.end(error)
      },
    )
    return events
  }

  async function holdServer(
    { path, staged, servers, timeoutMs, moreTime, purpose, isBrief = false }: HoldQuestion,
    signal: AbortSignal | undefined,
    { push, released }: { readonly push: (event: HoldEvent) => void; readonly released: Promise<void> },
  ): Promise<void> {
    const id = ++lastId
    const pool = pools.poolFor(servers)
    pool.users++
    try {
      if (!(await pool.servers.serves(path))) return push({ server: null })
      const onProgress = (progress: string) => push({ progress })
      const deadline = deadlineIn(timeoutMs, signal, { moreTime, purpose, onProgress })
      await pool.servers.ask(path, staged, deadline, server => {
        heldServers.set(id, { server, isBrief })
        push({ server: heldServer(id, server) })
        return released
      })
    } finally {
      heldServers.delete(id)
      pool.users--
    }
  }

  async function put({ id, method, args }: PutQuestion): Promise<unknown> {
    if (!isServerMethod(method)) throw new ToolError('invalid_input', `A server has no '${String(method)}'`)
    const held = heldServers.get(id)
    if (!held)
      throw new ToolError('unavailable', `The language server was released before '${method}' reached it`, {
        hint: 'Ask again.',
      })
    const ask: (...given: never[]) => Promise<unknown> = held.server[method]
    try {
      const answer = await ask(...(args as never[]))
      isOwed = false
      return answer
    } catch (error) {
      noteLate(held.isBrief, error)
      throw error
    }
  }

  let lingering: NodeJS.Timeout | undefined

  return {
    servers: { hold, put },
    effects: { judge: ({ question, servers }, { signal }) => pools.poolFor(servers).effects.judge(question, signal) },
    clients(count) {
      clearTimeout(lingering)
      if (count > 0) return
      for (const { effects } of pools.all()) effects.giveUp()
      lingering = setTimeout(() => void pools.end(), isOwed ? LATE_LINGER_MS : lingerMs).unref()
    },
    processes: async () => (await Promise.all([...pools.all()].map(({ servers }) => servers.running()))).flat(),
    close() {
      clearTimeout(lingering)
      return pools.end()
    },
  }
}

/** Opens servers by their start options. */
function openPools({ root, tree, env, memory }: CodeParts) {
  const pools = new Map<string, Pool>()
  return { poolFor, end, all: () => pools.values() }

  function poolFor(options: ServerOptions): Pool {
    const key = JSON.stringify(options)
    const pool = pools.get(key) ?? openPool(options)
    pools.delete(key)
    pools.set(key, pool)
    for (const [other, { servers, effects, users }] of pools) {
      if (pools.size <= MOST_POOLS) break
      if (users > 0 || other === key) continue
      pools.delete(other)
      effects.close()
      void servers.close()
    }
    return pool
  }

  function openPool(options: ServerOptions): Pool {
    const servers = openServers({ root, env, tree, memory, ...options })
    return { servers, effects: openEffects({ root, servers, configured: options.configured, tree }), users: 0 }
  }

  async function end(): Promise<void> {
    const ending = [...pools.values()]
    pools.clear()
    for (const { effects } of ending) effects.close()
    await Promise.all(ending.map(({ servers }) => servers.close()))
  }
}
