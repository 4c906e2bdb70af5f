import type { RunUsage } from './run-events.ts'

/** Limits of a run. Each is absent unless someone sets it. */
export interface RunLimits {
  /** Answers of the model. */
  readonly maxTurns?: number
  /** Input and output tokens of all requests together. */
  readonly maxTotalTokens?: number
  readonly maxSeconds?: number
  /** In the currency of the prices. */
  readonly maxCost?: number
}

/** The price of a million tokens. */
export interface TokenPrices {
  readonly input: number
  readonly output: number
}

/** The tokens of one answer, as the provider counted them. */
export interface TurnTokens {
  readonly input: number
  readonly output: number
}

export type Limit = 'turns' | 'tokens' | 'time' | 'cost'

/** Room for one request. */
export interface Reservation {
  /** The most tokens that the answer may have; undefined without a limit. */
  readonly maxOutputTokens: number | undefined
  /** Counts an answer, with what the provider counted; all that was reserved if it said nothing. */
  settle(tokens: TurnTokens | undefined): void
  /** Counts all that was reserved for an answer that broke off: the provider may have counted as much. */
  forfeit(): void
  /** Counts nothing: the request was refused before the model read it. */
  release(): void
}

/** The budget of a run, and of the runs that it starts. */
export interface RunBudget {
  readonly limits: RunLimits
  usage(): RunUsage
  cost(): number | undefined
  /** Milliseconds until the time is up; undefined without a limit. */
  msLeft(): number | undefined
  /**
   * Reserves room for a request with a prompt of at most so many tokens, or names the limit that has none. Waits for
   * room that requests of other runs may leave.
   */
  reserve(promptTokens: number): Promise<Reservation | { readonly exceeded: Limit }>
  /** Raises the limits, because a person said so. */
  extend(more: RunLimits): void
}

const NOTHING: RunUsage = { turns: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** An answer that has less room than this is not worth its prompt. */
const LEAST_OUTPUT = 16

/** The most output of one request where a limit holds: the rest stays for other runs, and a cut answer is continued. */
const MOST_OUTPUT = 8_192

/** Creates a budget. Several runs that share one never pass its limits together: room is reserved before each request. */
export function createRunBudget(
  limits: RunLimits = {},
  {
    now = Date.now,
    prices,
    used = NOTHING,
  }: { readonly now?: () => number; readonly prices?: TokenPrices | undefined; readonly used?: RunUsage } = {},
): RunBudget {
  const since = now()
  let allowed = limits
  let { turns, inputTokens, outputTokens } = used
  let [reservedTokens, reservedTurns, reservedCost] = [0, 0, 0]
  const waiting = new Set<() => void>()
  const totalTokens = () => inputTokens + outputTokens
  const costOf = (input: number, output: number): number =>
    prices ? (input * prices.input + output * prices.output) / 1_000_000 : 0
  const msLeft = () => (allowed.maxSeconds === undefined ? undefined : since + allowed.maxSeconds * 1000 - now())

  /** The most output that tokens and cost leave room for. */
  function outputRoom(prompt: number): number | Limit {
    const { maxTotalTokens, maxCost } = allowed
    const byTokens = maxTotalTokens === undefined ? Infinity : maxTotalTokens - totalTokens() - reservedTokens - prompt
    if (byTokens < LEAST_OUTPUT) return 'tokens'
    if (maxCost === undefined || !prices) return byTokens
    const costLeft = maxCost - costOf(inputTokens, outputTokens) - reservedCost - costOf(prompt, 0)
    const byCost = prices.output > 0 ? Math.floor((costLeft * 1_000_000) / prices.output) : costLeft >= 0 ? Infinity : 0
    return byCost < LEAST_OUTPUT ? 'cost' : Math.min(byTokens, byCost)
  }

  return {
    get limits() {
      return allowed
    },
    usage: () => ({ turns, inputTokens, outputTokens, totalTokens: totalTokens() }),
    cost: () => (prices ? costOf(inputTokens, outputTokens) : undefined),
    msLeft,
    extend(more) {
      allowed = { ...allowed, ...more }
    },
    async reserve(prompt) {
      for (;;) {
        const reservation = tryReserve(prompt)
        if (!('exceeded' in reservation) || reservation.exceeded === 'time' || reservedTurns === 0) return reservation
        await new Promise<void>(resolve => void waiting.add(resolve))
      }
    },
  }

  function tryReserve(prompt: number): Reservation | { readonly exceeded: Limit } {
    if ((msLeft() ?? 1) <= 0) return { exceeded: 'time' }
    if (allowed.maxTurns !== undefined && turns + reservedTurns >= allowed.maxTurns) return { exceeded: 'turns' }
    const room = outputRoom(prompt)
    if (typeof room === 'string') return { exceeded: room }
    const output = Number.isFinite(room) ? Math.min(room, MOST_OUTPUT) : undefined
    const [tokensHere, costHere] = [prompt + (output ?? 0), costOf(prompt, output ?? 0)]
    reservedTurns++
    reservedTokens += tokensHere
    reservedCost += costHere
    let isOpen = true
    const end = (): boolean => {
      if (!isOpen) return false
      isOpen = false
      reservedTurns--
      reservedTokens -= tokensHere
      reservedCost -= costHere
      for (const resolve of waiting) resolve()
      waiting.clear()
      return true
    }
    const count = (tokens: TurnTokens): void => {
      inputTokens += tokens.input
      outputTokens += tokens.output
    }
    const all = { input: prompt, output: output ?? 0 }
    return {
      maxOutputTokens: output,
      settle(tokens = all) {
        if (!end()) return
        turns++
        count(tokens)
      },
      forfeit() {
        if (end()) count(all)
      },
      release: () => void end(),
    }
  }
}
