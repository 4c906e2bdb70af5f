import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ToolError } from '../../../kernel/error.ts'
import { deadlineIn } from './deadline.ts'
import { createRequestQueue } from './request-queue.ts'

const late = (): ToolError => new ToolError('timeout', 'late')

it('questions about the same state run in parallel, others after them, and none waits past its deadline', async () => {
  const turns = createRequestQueue()
  const log: string[] = []
  const run = (key: string, name: string, ms: number, deadlineMs = 5_000) =>
    turns.run(key, deadlineIn(deadlineMs), late, async () => {
      log.push(`${name} begins`)
      await pause(ms)
      log.push(`${name} ends`)
    })
  const all = [run('a', 'a1', 60), run('a', 'a2', 20), run('b', 'b1', 10), run('c', 'c1', 0, 5), run('a', 'a3', 0)]
  const outcomes = await Promise.allSettled(all)
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(log).toEqual(['a1 begins', 'a2 begins', 'a2 ends', 'a1 ends', 'b1 begins', 'b1 ends', 'a3 begins', 'a3 ends'])
})
