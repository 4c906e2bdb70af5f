import type { Listed } from '../../kernel/edit-effects.ts'
import { defineTool, readsBelow, z } from '../tool.ts'
import { deadlineWithin } from './basis.ts'

const MINUTE = 60_000

export const effects = defineTool({
  name: 'effects',
  version: '1.1.0',
  description:
    'Report all that a change breaks: new and cured errors in every file that it reaches, calls that no longer fit, tests that cover it. ' +
    'Judges the staged changes, else the last commit, or the commit `id`, which its answer gave as `undo`. Ask when the `effects` of an answer are not `complete`.',
  input: () =>
    z.strictObject({
      id: z.string().min(1).optional().describe('The commit, as its answer gave it as `undo`'),
    }),
  output: () =>
    z.strictObject({
      changed: z.array(z.string()).describe('The changed files that were judged'),
      effects: effectsOutput().optional().describe('Absent where no language server judges what was changed'),
    }),
  effects: ['read'],
  timeoutMs: 5 * MINUTE,
  claims: () => readsBelow('.'),
  async run({ id }, { code }, { timeoutMs, signal }) {
    const found = await code.effects({ deadlineMs: deadlineWithin(timeoutMs), signal, ...(id !== undefined && { id }) })
    if (!found) return { changed: [] }
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
    }
  },
  examples: [{ input: {} }],
})

const copied = <T>({ total, first }: Listed<T>): { total: number; first: T[] } => ({ total, first: [...first] })

const listed = <T extends z.ZodType>(item: T) => z.strictObject({ total: z.int(), first: z.array(item) })

const fault = z.strictObject({
  path: z.string(),
  line: z.int(),
  column: z.int(),
  code: z.string(),
  message: z.string(),
})

const effectsOutput = () =>
  z.strictObject({
    summary: z.string().describe('In one line; what is not judged yet is not called free of errors'),
    introduced: listed(fault).describe('The nearest to the change first'),
    cured: listed(fault),
    callers: listed(
      z.strictObject({ name: z.string(), path: z.string(), line: z.int(), calls: z.string(), code: z.string() }),
    ).describe('Calls of what was changed that no longer fit'),
    tests: listed(z.string()).describe('Files of tests that import what was changed, the likeliest to tell first'),
    complete: z.boolean(),
    left: z.int().describe('Files that are not yet judged'),
    unjudged: z.array(z.string()).describe('Languages among the changed files that nobody judges'),
    why: z.string().optional().describe('What keeps it from being complete'),
  })
