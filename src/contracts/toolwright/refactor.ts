import { defineTool, readsBelow, writesFound, z } from '../tool.ts'
import { basisOf, basisOutput } from './basis.ts'
import { withInputType } from './required-fields.ts'
import { effectsInput } from './effects-input.ts'
import { timeOf, waitInput } from './server-wait.ts'

const KINDS = ['rename', 'move', 'replace-body', 'insert-before', 'insert-after', 'delete'] as const

const ids = () => z.array(z.string().min(1).max(4_000)).max(1_000).optional()

const occurrencesOutput = () =>
  z
    .strictObject({
      changed: z.int(),
      other: z.int().describe('Places that refer to something else'),
      undecided: z.int().describe('Places left unchanged although their meaning is unknown'),
      mentions: z.int().describe('Places in comments and other texts'),
      listed: z.array(
        z.strictObject({
          id: z.string(),
          path: z.string(),
          line: z.int(),
          kind: z.string(),
          verdict: z.enum(['changed', 'other', 'not decided']),
          text: z.string(),
          why: z.string().optional(),
        }),
      ),
    })
    .describe('Occurrences of the old name or path; `listed` holds the unchanged ones')

const fields = () =>
  z.strictObject({
    kind: z.enum(KINDS),
    symbol: z.string().min(1).max(500).optional().describe('A name; qualify it as `Class.method`'),
    path: z.string().optional().describe('The file that defines it; default: found in the index'),
    line: z.int().min(1).optional().describe('If the file has several of that name'),
    to: z.string().min(1).max(4_000).optional().describe('The new name, or the file to move to'),
    text: z.string().max(1_000_000).optional().describe('The code to replace or insert'),
    include: ids().describe('Undecided occurrences to change as well, by id or file:PATH; for rename and move'),
    leave: ids().describe('Undecided occurrences to leave unchanged, by id or file:PATH'),
    strict: z.boolean().optional().describe('false leaves all undecided occurrences'),
    ...waitInput('then nothing is changed. Default: as long as the call may take'),
    ...effectsInput(),
  })

type Fields = z.input<ReturnType<typeof fields>>
type Rest = Omit<Fields, 'kind' | 'symbol' | 'to' | 'text' | 'include'>
type Named = Rest & { readonly symbol: string }

/** Input that the rules below require for each kind. */
type RefactorInput =
  | (Named & Pick<Fields, 'include'> & { readonly kind: 'rename'; readonly to: string })
  | ((Named | (Rest & { readonly path: string })) &
      Pick<Fields, 'include'> & { readonly kind: 'move'; readonly to: string })
  | (Named & { readonly kind: 'replace-body' | 'insert-before' | 'insert-after'; readonly text: string })
  | (Named & { readonly kind: 'delete' })

const refactorInput = () =>
  fields()
    .refine(({ kind, symbol, path }) => symbol !== undefined || (kind === 'move' && path !== undefined), {
      error: 'Give the symbol; only a move of a whole file has a path and no symbol',
    })
    .refine(({ kind, to }) => (kind === 'rename' || kind === 'move') === (to !== undefined), {
      error: 'rename and move need `to`; other kinds do not accept it',
    })
    .refine(({ kind, include }) => include === undefined || kind === 'rename' || kind === 'move', {
      error: 'include is for rename and move',
    })
    .refine(({ kind, text }) => /^(replace|insert)/.test(kind) === (text !== undefined), {
      error: 'replace-body, insert-before and insert-after need `text`; other kinds do not accept it',
    })

export const refactor = defineTool({
  name: 'refactor',
  version: '1.2.0',
  description:
    'Change the code of a `symbol` (qualified as `Class.method`, in the file `path`) in all files at once: `rename` it `to` a new name everywhere; `move` it, or without a symbol the file, `to` a file, and update imports and re-exports; ' +
    '`replace-body` with `text` (the body or the whole declaration); `insert-before` or `insert-after` it, indented to match; `delete` it unless it is still used. ' +
    'If it cannot do so exactly, it changes nothing and lists undecided places with ids (untyped receivers, getattr, mocks, configuration); ' +
    '`include` those that refer to the symbol and `leave` the others, by id or file:PATH.',
  input: () => withInputType<RefactorInput>()(refactorInput()),
  output: () =>
    z.strictObject({
      symbol: z.string().describe('The changed symbol, or the moved file'),
      path: z.string(),
      line: z.int(),
      files: z.array(
        z.strictObject({ path: z.string(), edits: z.int().describe('Changed places; 0 for a new or moved file') }),
      ),
      basis: basisOutput(),
      warnings: z.array(z.string()).describe('Parts that could not be done exactly: review them'),
      occurrences: occurrencesOutput().optional(),
    }),
  effects: ['read', 'create', 'write'],
  timeoutMs: 120_000,
  waitMs: ({ waitMs }) => waitMs,
  claims: () => [...readsBelow('.'), ...writesFound()],
  async run({ kind, waitMs, ...asked }, { code, text: texts, files }, call) {
    const result = await code.refactoring({ kind, ...refactoringOptions(asked), ...timeOf(call, waitMs) })
    const { name, path, line } = result.target
    for (const edit of result.edits) {
      if (edit.kind === 'change') texts.splice(edit.path, edit.splices)
      else if (edit.kind === 'create') texts.write(edit.path, edit.text, { expect: 'absent' })
      else files.move(edit.path, edit.to)
    }
    return {
      symbol: name,
      path,
      line,
      files: result.edits.map(edit => ({
        path: edit.kind === 'move' ? edit.to : edit.path,
        edits: edit.kind === 'change' ? edit.splices.length : 0,
      })),
      basis: basisOf(result.basis),
      warnings: [...result.warnings],
      ...(result.occurrences && {
        occurrences: { ...result.occurrences, listed: result.occurrences.listed.map(each => ({ ...each })) },
      }),
    }
  },
  examples: [
    {
      input: { kind: 'replace-body', symbol: 'Cart.total', path: 'src/cart.py', text: 'return sum(self.prices)\n' },
      files: { 'src/cart.py': 'class Cart:\n    def total(self):\n        return 0\n' },
    },
    {
      input: { kind: 'insert-after', symbol: 'hello', text: 'export const goodbye = () => 2\n' },
      files: { 'src/hello.ts': 'export const hello = () => 1\n' },
    },
  ],
})

interface GivenInput {
  readonly symbol?: string | undefined
  readonly path?: string | undefined
  readonly line?: number | undefined
  readonly to?: string | undefined
  readonly text?: string | undefined
  readonly include?: string[] | undefined
  readonly leave?: string[] | undefined
  readonly strict?: boolean | undefined
}

const refactoringOptions = ({ symbol, path, line, to, text, include, leave, strict }: GivenInput) => ({
  ...(include !== undefined && { include }),
  ...(leave !== undefined && { leave }),
  ...(strict !== undefined && { strict }),
  ...(symbol !== undefined && { symbol }),
  ...(path !== undefined && { path }),
  ...(line !== undefined && { line }),
  ...(to !== undefined && { to }),
  ...(text !== undefined && { text }),
})
