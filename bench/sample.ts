/** The value that this part of the samples does not exceed. */
export function quantile(samples: Float64Array, part: number): number {
  const sorted = samples.toSorted()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (samples: Float64Array): number => quantile(samples, 0.5)

/** Something to time; what it returns is waited for. */
export type Work = () => unknown

export interface Rounds<Name extends string> {
  readonly rounds: number
  /** Rounds before those that count. */
  readonly warmUp?: number
  /** How often a piece is run in each round, once unless said: a quick one beside a slow one needs more. */
  readonly repeat?: Readonly<Partial<Record<Name, number>>>
}

/** Times several pieces of work in turn, in microseconds, so that what disturbs the machine disturbs all of them alike. */
export async function interleave<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  { rounds, warmUp = 0, repeat }: Rounds<NoInfer<Name>>,
): Promise<Readonly<Record<Name, Float64Array>>> {
  const often: Readonly<Record<string, number | undefined>> = repeat ?? {}
  const pieces = Object.entries<Work>(works).map(([name, work]) => {
    const each = often[name] ?? 1
    return { name, work, each, samples: new Float64Array(rounds * each) }
  })
  for (let round = -warmUp; round < rounds; round++)
    for (const { work, each, samples } of pieces)
      for (let run = 0; run < each; run++) {
        const took = await timed(work)
        if (round >= 0) samples[round * each + run] = took
      }
  return Object.fromEntries(pieces.map(({ name, samples }) => [name, samples])) as Record<Name, Float64Array>
}

/** Waits only for what has to be waited for. */
function timed(work: Work): number | Promise<number> {
  const start = process.hrtime.bigint()
  const answer = work()
  return answer instanceof Promise ? answer.then(() => since(start)) : since(start)
}

const since = (start: bigint): number => Number(process.hrtime.bigint() - start) / 1000
