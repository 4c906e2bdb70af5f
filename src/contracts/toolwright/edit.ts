import { defineTool, reads, writes, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const edit = defineTool({
  name: 'edit',
  version: '1.2.0',
  description:
    'Replace `old` by `new` in a file, all `edits` or none; every other byte stays. `old` must occur exactly once unless `all` is set. ' +
    '`match: "lines"` ignores indentation, trailing blanks and curly quotes if the place is still unique.',
  input: () =>
    z.strictObject({
      path: z.string().describe('Path relative to the workspace'),
      edits: z
        .array(
          z.strictObject({
            old: z.string().min(1).describe('The text to replace'),
            new: z.string().describe('The replacement'),
            all: z.boolean().optional().describe('Replace every occurrence'),
            match: z.enum(['exact', 'lines']).optional().describe('How to find it; default exact'),
          }),
        )
        .min(1)
        .max(1000),
      expect: z.string().optional().describe('The hash that was read, or 16 or more digits of it'),
      ...effectsInput(),
    }),
  output: () =>
    z.strictObject({
      path: z.string(),
      applied: z.array(z.strictObject({ line: z.int(), lines: z.int(), old: z.string(), new: z.string() })),
      total: z.int().describe('Replaced places'),
      bytes: z.int(),
      hash: z.string(),
    }),
  trusted: true,
  effects: ['read', 'write'],
  claims: ({ path }) => [...reads(path), ...writes(path)],
  run({ path, edits, expect }, { text }) {
    const replacement = text.replace(path, edits, { onAmbiguous: 'refuse', ...(expect !== undefined && { expect }) })
    const appliedEdits = [...replacement.applied]
    return {
      path: replacement.path,
      applied: appliedEdits,
      total: appliedEdits.length,
      bytes: replacement.bytes,
      hash: replacement.hash,
    }
  },
  partly(answer, [landed]) {
    const { bytes = answer.bytes, hash = answer.hash, places = [] } = landed ?? {}
    return { ...answer, applied: [...places], total: places.length, bytes, hash }
  },
  examples: [
    {
      input: { path: 'src/hello.ts', edits: [{ old: 'hello', new: 'goodbye' }] },
      files: { 'src/hello.ts': 'export const hello = 1\n' },
    },
  ],
})
