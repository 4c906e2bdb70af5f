import type { Listed } from '../../kernel/edit-effects.ts'
import { defineTool, readsBelow, z } from '../tool.ts'
import { LONGEST_MS, timeOf } from './server-wait.ts'

/** Default time to judge a change. */
const WAIT_MS = 20_000

export const effects = defineTool({
  name: 'effects',
  version: '1.2.0',
  description:
    'Report all that a change breaks: new and cured errors in every file that it reaches, calls that no longer fit, tests that cover it. ' +
    'Judges the staged changes, else the last commit, or the commit `id`, which its answer gave as `undo`. Ask when the `effects` of an answer are not `complete`.',
  input: () =>
    z.strictObject({
      id: z.string().min(1).optional().describe('The commit, as its answer gave it as `undo`'),
      waitMs: z
        .int()
        .min(0)
        .max(LONGEST_MS)
        .default(WAIT_MS)
        .describe('How long to judge; what is known by then is told'),
    }),
  output: () =>
    z.strictObject({
      changed: z.array(z.string()).describe('The changed files that were judged'),
      effects: effectsOutput().optional().describe('Absent where no language server judges what was changed'),
      next: z
        .strictObject({ id: z.string().optional(), waitMs: z.int() })
        .optional()
        .describe('For the rest, where time ran out'),
    }),
  effects: ['read'],
  yields: true,
  timeoutMs: LONGEST_MS,
  claims: () => readsBelow('.'),
  async run({ id, waitMs }, { code }, call) {
    const named = id === undefined ? {} : { id }
    const found = await code.effects({ ...timeOf(call, waitMs), ...named })
    if (!found) return { changed: [] }
    const { complete, left, why } = found.effects
    const isShort = !complete && left > 0 && why === undefined && waitMs < LONGEST_MS
    const { summary, introduced, cured, callers, tests, unjudged, ...rest } = found.effects
    return {
      changed: [...found.changed],
      effects: {
        summary,
        introduced: copied(introduced),
        cured: copied(cured),
        callers: copied(callers),
        tests: copied(tests),
        ...rest,
        unjudged: [...unjudged],
      },
      ...(isShort && { next: { ...named, waitMs: Math.min(LONGEST_MS, Math.max(WAIT_MS, waitMs * 3)) } }),
    }
  },
  examples: [{ input: {} }],
})

const copied = <T>({ total, first }: Listed<T>): { total: number; first: T[] } => ({ total, first: [...first] })

const listed = <T extends z.ZodType>(item: T) => z.strictObject({ total: z.int(), first: z.array(item) })

const diagnostic = z.strictObject({
  path: z.string(),
  line: z.int(),
  column: z.int(),
  code: z.string(),
  message: z.string(),
})

const effectsOutput = () =>
  z.strictObject({
    summary: z.string().describe('In one line; what is not judged yet is not called free of errors'),
    introduced: listed(diagnostic).describe('The nearest to the change first'),
    cured: listed(diagnostic),
    callers: listed(
      z.strictObject({ name: z.string(), path: z.string(), line: z.int(), calls: z.string(), code: z.string() }),
    ).describe('Calls of what was changed that no longer fit'),
    tests: listed(z.string()).describe('Files of tests that import what was changed, the likeliest to tell first'),
    complete: z.boolean(),
    left: z.int().describe('Files that are not yet judged'),
    unjudged: z.array(z.string()).describe('Languages among the changed files that nobody judges'),
    why: z.string().optional().describe('What keeps it from being complete'),
  })
