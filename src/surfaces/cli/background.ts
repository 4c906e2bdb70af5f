import { UsageError } from './usage.ts'

/** The parameters of `run` that start a command in the background, or are about one. */
export const BACKGROUND: readonly string[] = ['background', 'handle', 'action', 'input', 'since']

/** A command in the background ends with the process that started it, which a single call does not outlive. */
export function refuseBackground(input: unknown): void {
  const { background, handle } = Object(input)
  if (background !== true && handle === undefined) return
  const why = 'A command in the background ends with the process that started it, here with this call'
  const next = "Run it in the foreground, or in the background from 'toolwright mcp' or 'toolwright call --jsonl'"
  throw new UsageError(`${why}. ${next}`, 'run')
}
