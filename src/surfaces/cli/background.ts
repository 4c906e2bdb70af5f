import { UsageError } from './usage.ts'

/** Parameters of `run` that start or control a background command. */
export const BACKGROUND: readonly string[] = ['background', 'handle', 'action', 'input', 'since']

/** Refuses background commands: they end with the process that started them, and a single call ends at once. */
export function refuseBackground(input: unknown): void {
  const { background, handle } = Object(input)
  if (background !== true && handle === undefined) return
  const why = 'A command in the background ends with the process that started it, here with this call'
  const next = "Run it in the foreground, or in the background from 'toolwright mcp' or 'toolwright call --jsonl'"
  throw new UsageError(`${why}. ${next}`, 'run')
}
