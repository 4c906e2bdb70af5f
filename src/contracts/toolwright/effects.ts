import type { Listed } from '../../kernel/edit-effects.ts'
import { defineTool, readsBelow, z } from '../tool.ts'
import { LONGEST_MS, timeOf } from './server-wait.ts'

/** Default time to judge a change. */
const WAIT_MS = 20_000

export const effects = defineTool({
  name: 'effects',
  version: '1.3.0',
  description:
    'Report what a change breaks: new and fixed errors in every affected file, calls that no longer match, tests that cover it. ' +
    'Judges the staged changes, otherwise the last commit, or the commit `id` (the `undo` of its answer). Use it where `effects` are not `complete`.',
  input: () =>
    z.strictObject({
      id: z.string().min(1).optional().describe('The commit: the `undo` of its answer'),
      waitMs: z
        .int()
        .min(0)
        .max(LONGEST_MS)
        .default(WAIT_MS)
        .describe('How long to judge; the answer reports what is known by then'),
    }),
  output: () =>
    z.strictObject({
      changed: z.array(z.string()).describe('The changed files that were judged'),
      note: z.string().optional().describe('What was judged, if that is not the commit alone, or why nothing was'),
      effects: effectsOutput().optional().describe('Absent if nothing can be judged: `note` says why'),
      next: z
        .strictObject({ id: z.string().optional(), waitMs: z.int() })
        .optional()
        .describe('For the rest, if time ran out'),
    }),
  effects: ['read'],
  yields: true,
  timeoutMs: LONGEST_MS,
  claims: () => readsBelow('.'),
  async run({ id, waitMs }, { code }, call) {
    const idPart = id === undefined ? {} : { id }
    const result = await code.effects({ ...timeOf(call, waitMs), ...idPart })
    const fileChanges = { changed: [...result.changed], ...(result.note !== undefined && { note: result.note }) }
    if (!result.effects) return fileChanges
    const { complete, left, why } = result.effects
    const isShort = !complete && left > 0 && why === undefined && waitMs < LONGEST_MS
    const { summary, introduced, cured, callers, tests, unjudged, ...rest } = result.effects
    return {
      ...fileChanges,
      effects: {
        summary,
        introduced: copyOf(introduced),
        cured: copyOf(cured),
        callers: copyOf(callers),
        tests: copyOf(tests),
        ...rest,
        unjudged: [...unjudged],
      },
      ...(isShort && { next: { ...idPart, waitMs: Math.min(LONGEST_MS, Math.max(WAIT_MS, waitMs * 3)) } }),
    }
  },
  examples: [{ input: {} }],
})

const copyOf = <T>({ total, first }: Listed<T>): { total: number; first: T[] } => ({ total, first: [...first] })

const listOf = <T extends z.ZodType>(item: T) => z.strictObject({ total: z.int(), first: z.array(item) })

const diagnostic = z.strictObject({
  path: z.string(),
  line: z.int(),
  column: z.int(),
  code: z.string(),
  message: z.string(),
})

const effectsOutput = () =>
  z.strictObject({
    summary: z.string().describe('One line; never calls a file free of errors before it is judged'),
    introduced: listOf(diagnostic).describe('Nearest to the change first'),
    cured: listOf(diagnostic),
    callers: listOf(
      z.strictObject({ name: z.string(), path: z.string(), line: z.int(), calls: z.string(), code: z.string() }),
    ).describe('Calls of changed symbols that no longer match'),
    tests: listOf(z.string()).describe('Test files that import the changed code, the most relevant first'),
    complete: z.boolean(),
    left: z.int().describe('Files not judged yet'),
    unjudged: z.array(z.string()).describe('Languages of changed files that no language server judges'),
    why: z.string().optional().describe('Why it is not complete'),
  })
