/** The value that this part of the samples does not exceed. */
export function quantile(samples: Float64Array, part: number): number {
  const sorted = samples.toSorted()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (samples: Float64Array): number => quantile(samples, 0.5)

/** Something to time; what it returns is waited for. */
export type Work = () => unknown

/**
 * Times several pieces of work in turn, so that what disturbs the machine disturbs all of them alike.
 * Microseconds for each round of each piece, without the first `warmUp` rounds.
 */
export async function interleave<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  rounds: number,
  warmUp = 0,
): Promise<Readonly<Record<Name, Float64Array>>> {
  const named = Object.entries<Work>(works).map(([name, work]) => ({ name, work, samples: new Float64Array(rounds) }))
  for (let round = -warmUp; round < rounds; round++) {
    for (const { work, samples } of named) {
      const start = process.hrtime.bigint()
      const answer = work()
      if (answer instanceof Promise) await answer
      const took = Number(process.hrtime.bigint() - start) / 1000
      if (round >= 0) samples[round] = took
    }
  }
  return Object.fromEntries(named.map(({ name, samples }) => [name, samples])) as Record<Name, Float64Array>
}
