import { signal } from '@preact/signals'
import { read } from '../api/request.ts'

export interface Budget {
  readonly tool?: string
  readonly calls?: number
  readonly bytes?: number
}

export interface Spent {
  readonly task: string
  readonly tool: string
  readonly calls: number
  readonly bytes: number
}

export interface Budgets {
  readonly budgets: readonly Budget[]
  readonly spent: readonly Spent[]
}

/** The budget that is spent the most, in words; undefined if there is none. */
export const spending = signal<string | undefined>(undefined)

export async function loadSpending(): Promise<void> {
  const { budgets, spent } = await read<Budgets>('/v1/budgets')
  const shares = budgets.flatMap(budget =>
    spent
      .filter(({ tool }) => budget.tool === undefined || budget.tool === tool)
      .flatMap(({ tool, calls, bytes }) => [
        ...(budget.calls === undefined
          ? []
          : [
              {
                share: calls / budget.calls,
                words: `${calls} of ${budget.calls} calls of ${tool.replace('toolwright/', '')}`,
              },
            ]),
        ...(budget.bytes === undefined
          ? []
          : [{ share: bytes / budget.bytes, words: `${megabytes(bytes)} of ${megabytes(budget.bytes)} MB read` }]),
      ]),
  )
  spending.value = shares.toSorted((one, other) => other.share - one.share)[0]?.words
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
