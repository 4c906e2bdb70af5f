import { patchPaths } from '../../machine/text/patch/patch.ts'
import { creates, defineTool, reads, writes, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const patch = defineTool({
  name: 'patch',
  version: '1.1.0',
  description:
    'Apply `diff` to one or many files, all or nothing: a unified diff, `*** Begin Patch`, or SEARCH/REPLACE blocks. ' +
    '`check` only tests it, `reverse` applies it in reverse, and `fuzz` outer context lines may differ (default 0).',
  input: () =>
    z.strictObject({
      diff: z.string().min(1).max(20_000_000).describe('The patch'),
      check: z.boolean().optional().describe('Only test whether it applies'),
      reverse: z.boolean().optional().describe('Apply in reverse'),
      fuzz: z.int().min(0).max(3).optional().describe('Outer context lines that may differ; default 0'),
      ...effectsInput(),
    }),
  output: () =>
    z.strictObject({
      applied: z.boolean(),
      files: z.array(
        z.strictObject({
          path: z.string(),
          kind: z.enum(['change', 'create', 'delete', 'rename', 'copy']),
          from: z.string().optional(),
          hunks: z.int(),
          added: z.int(),
          removed: z.int(),
          offsets: z.array(z.int()),
          fuzz: z.array(z.int()),
        }),
      ),
    }),
  effects: ['read', 'create', 'write'],
  claims({ diff, check, reverse }) {
    const paths = patchPaths(diff, { reverse: reverse ?? false })
    const existingPaths = [...paths.reads, ...paths.writes]
    if (check) return reads(...existingPaths, ...paths.creates)
    return [...reads(...existingPaths), ...writes(...paths.writes), ...creates(...paths.creates)]
  },
  run({ diff, check = false, reverse = false, fuzz = 0 }, { text }) {
    const { applied, files } = text.patch(diff, { check, reverse, fuzz })
    return { applied, files: files.map(file => ({ ...file, offsets: [...file.offsets], fuzz: [...file.fuzz] })) }
  },
  partly: ({ applied, files }, landed) => ({
    applied,
    files: files.flatMap(file => {
      const part = landed.find(({ path }) => path === file.path)
      if (!part || part.places.length === 0) return part ? [file] : []
      const [newLines, oldLines] = [linesIn(part.places, 'new'), linesIn(part.places, 'old')]
      return [{ ...file, hunks: part.places.length, added: newLines, removed: oldLines, offsets: [], fuzz: [] }]
    }),
  }),
  examples: [
    {
      input: {
        diff: '--- a/src/hello.ts\n+++ b/src/hello.ts\n@@ -1 +1 @@\n-export const hello = 1\n+export const hello = 2\n',
      },
      files: { 'src/hello.ts': 'export const hello = 1\n' },
    },
  ],
})

const linesIn = (places: readonly { readonly old: string; readonly new: string }[], side: 'old' | 'new'): number =>
  places.reduce((sum, place) => sum + (place[side].match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0), 0)
