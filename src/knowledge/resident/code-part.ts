import { ToolError } from '../../kernel/error.ts'
import { deadlineIn } from '../code/servers/deadline.ts'
import { openEffects } from '../code/effects/open-effects.ts'
import type { EffectsWork } from '../code/effects/types.ts'
import { openServers } from '../code/servers/open-servers.ts'
import type { ServerMemory } from '../code/servers/server-memory.ts'
import type { ServerClient, Servers } from '../code/servers/types.ts'
import type { Tree } from '../tree/tree.ts'
import type { Environment } from '../../machine/state/directory.ts'
import type { Root } from '../../machine/workspace/root.ts'
import { effectsAnswers } from './effects-answers.ts'
import type { Question, ResidentPart } from './part.ts'
import {
  heldServer,
  isServerMethod,
  type HoldQuestion,
  type PutQuestion,
  type ServerOptions,
} from './server-protocol.ts'

interface Held {
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

/**
 * Language servers as a part of the process. Callers know what may be read and what is staged: server answers are
 * returned unchanged, because the caller could also ask a server of its own.
 */
export function codePart(codeParts: Held): ResidentPart {
  const { lingerMs = LINGER_MS } = codeParts
  const pools = openPools(codeParts)
  const holds = new WeakMap<object, HeldServers>()
  /** Last reported activity of servers that callers wait for. */
  const doing = new WeakMap<object, string>()
  const brief = new WeakSet<object>()
  /** The last request of a command was late, and its answer was not received. */
  let isOwed = false
  const noteLate = (client: object, error: unknown) => {
    isOwed ||= brief.has(client) && error instanceof ToolError && error.code === 'timeout'
  }
  /** Answers when the holder releases the server. */
  async function hold({ params, signal, client }: Question): Promise<void> {
    const { id, path, staged, wishes, timeoutMs, moreTime, purpose, isBrief }: HoldQuestion = Object(params)
    if (isBrief) brief.add(client)
    const server = Promise.withResolvers<ServerClient | null>()
    // It may never be used.
    server.promise.catch(() => {})
    const mine = heldBy(holds, client)
    mine.set(id, server.promise)
    const onProgress = (text: string) => void doing.set(server.promise, text)
    const releaseSignal = new Promise<void>(resolve => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const pool = pools.poolFor(wishes)
    pool.users++
    try {
      const texts = new Map(staged.texts.map(([file, text]) => [file, text ?? undefined]))
      if (!(await pool.servers.serves(path))) server.resolve(null)
      else
        await pool.servers.ask(
          path,
          { ...staged, texts },
          deadlineIn(timeoutMs, signal, { moreTime, purpose, onProgress }),
          given => {
            server.resolve(given)
            return releaseSignal
          },
        )
    } catch (error) {
      noteLate(client, error)
      server.reject(error)
    } finally {
      pool.users--
    }
    // Until then requests may arrive; they get the reason why there is no server.
    await releaseSignal
    mine.delete(id)
  }

  let lingering: NodeJS.Timeout | undefined

  return {
    clients(count) {
      clearTimeout(lingering)
      if (count > 0) return
      for (const { effects } of pools.all()) effects.giveUp()
      lingering = setTimeout(() => void pools.end(), isOwed ? LATE_LINGER_MS : lingerMs).unref()
    },
    answers: {
      ...effectsAnswers(wishes => pools.poolFor(wishes).effects),
      'code.hold': hold,
      async 'code.held'({ params, client }) {
        const { id }: { id: number } = Object(params)
        const server = await heldBy(holds, client).get(id)
        return server ? heldServer(server) : null
      },
      'code.progress'({ params, client }) {
        const { id }: { id: number } = Object(params)
        const server = heldBy(holds, client).get(id)
        return (server && doing.get(server)) ?? null
      },
      async 'code.put'({ params, client }) {
        const { id, method, args }: PutQuestion = Object(params)
        const server = await heldBy(holds, client).get(id)
        if (!isServerMethod(method)) throw new ToolError('invalid_input', `A server has no '${method}'`)
        if (!server)
          throw new ToolError('unavailable', `The language server was released before '${method}' reached it`, {
            hint: 'Ask again.',
          })
        const ask: (...given: never[]) => Promise<unknown> = server[method]
        try {
          const answer = await ask(...(args as never[]))
          isOwed = false
          return answer
        } catch (error) {
          noteLate(client, error)
          throw error
        }
      },
    },
    processes: async () => (await Promise.all([...pools.all()].map(({ servers }) => servers.running()))).flat(),
    close() {
      clearTimeout(lingering)
      return pools.end()
    },
  }
}

/** The servers that one client holds. */
type HeldServers = Map<number, Promise<ServerClient | null>>

function heldBy(holds: WeakMap<object, HeldServers>, client: object): HeldServers {
  const servers = holds.get(client) ?? new Map()
  holds.set(client, servers)
  return servers
}

/** Opens servers by their start options. */
function openPools({ root, tree, env, memory }: Held) {
  const pools = new Map<string, Pool>()
  return { poolFor, end, all: () => pools.values() }

  function poolFor(wishes: ServerOptions): Pool {
    const key = JSON.stringify(wishes)
    const pool = pools.get(key) ?? openPool(wishes)
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

  function openPool(wishes: ServerOptions): Pool {
    const servers = openServers({ root, env, tree, memory, ...wishes })
    return { servers, effects: openEffects({ root, servers, configured: wishes.configured, tree }), users: 0 }
  }

  async function end(): Promise<void> {
    const ending = [...pools.values()]
    pools.clear()
    for (const { effects } of ending) effects.close()
    await Promise.all(ending.map(({ servers }) => servers.close()))
  }
}
