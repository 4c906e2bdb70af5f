import { z } from 'zod'
import { CannotRun, type Row } from './row.ts'

/** The words that a kind of row may expect, and the fields that it cannot be judged without. */
interface Shape {
  readonly words: readonly string[]
  readonly fields: Readonly<Record<string, z.ZodType>>
}

const text = z.string()
const texts = z.record(z.string(), z.string())
const tree = z.record(z.string(), z.union([z.string(), z.number()]))

const SHAPES: Readonly<Record<string, Shape>> = {
  'approval.jsonl': {
    words: ['allow', 'deny', 'reject-rule', 'warn-rule'],
    fields: {
      rule: z.looseObject({ tool: text.min(1), pattern: text.nullable() }),
      call: z.union([
        z.looseObject({ scenario: text.min(1) }),
        z.looseObject({ tool: text, args: z.unknown().refine(args => args !== undefined) }),
        z.looseObject({ tool: text, args_raw: text }),
      ]),
    },
  },
  'patches.jsonl': {
    words: ['apply', 'reject', 'either'],
    fields: { before: tree, patch: text, after: tree.optional() },
  },
  'path-traversal.jsonl': {
    words: ['allow', 'deny', 'ask', 'either'],
    fields: { op: text, path: z.unknown().refine(path => path !== undefined, 'it is missing') },
  },
  'redos.jsonl': {
    words: ['bounded', 'match', 'no-match', 'validation-error', 'timeout', 'denied'],
    fields: {
      pattern: text,
      input: z.union([text, z.looseObject({ repeat: text, times: z.int().min(0), suffix: text })]),
      budget_ms: z.number().positive(),
    },
  },
  'shell-bypass.jsonl': {
    words: ['allow', 'deny'],
    fields: { command: text, policy: text, hard: z.boolean().optional() },
  },
  'ssrf.jsonl': {
    words: ['allow', 'deny'],
    fields: {
      url: text,
      dns: z.record(z.string(), z.unknown()).optional(),
      responses: z.record(z.string(), z.looseObject({})).optional(),
      allow_domains: z.array(text).optional(),
      request_headers: texts.optional(),
    },
  },
  'terminal.jsonl': { words: ['inert'], fields: { field: text.min(1), value: text } },
}

/** What a row about secrets is about shows in the first of these fields that it has. */
const SECRETS: readonly (readonly [field: string, shape: Shape])[] = [
  [
    'call',
    {
      words: ['allow', 'policy', 'redacted', 'not-injected', 'safe-quoting'],
      fields: { call: z.looseObject({ tool: text.min(1), args: z.record(z.string(), z.unknown()) }) },
    },
  ],
  [
    'input',
    {
      words: ['inject', 'policy', 'not-injected'],
      fields: { input: text, result: text.nullable().optional(), stage: text.optional() },
    },
  ],
  ['parts', { words: ['detected', 'unchanged'], fields: { parts: z.array(text).min(1) } }],
  ['channel', { words: ['redacted'], fields: { channel: text, secret: text } }],
  ['chunks_b64', { words: ['redacted'], fields: { chunks_b64: z.array(text).min(1), secret: text } }],
  ['size_bytes', { words: ['redacted'], fields: { size_bytes: z.int().positive(), secret: text } }],
  ['output_b64', { words: ['redacted'], fields: { output_b64: text, secret: text } }],
  [
    'output',
    {
      words: ['redacted', 'unchanged', 'documented-limit', 'best-effort'],
      fields: { output: text, secret: text.optional(), transform: text.optional() },
    },
  ],
]

/** Throws `CannotRun` for a row that nothing here could judge: it would pass or fail for a reason of its own. */
export function demandShape(file: string, row: Row): void {
  const { words, fields } = shapeOf(file, row)
  const unknown = [row.expect, ...(row.ok ?? [])].find(word => !words.includes(word))
  if (unknown !== undefined) throw new CannotRun(`no check stands for '${unknown}'`)
  const wrong = Object.entries(fields).flatMap(([name, field]) => {
    const { error } = field.safeParse(Reflect.get(row, name))
    return error ? [`'${name}' ${Object.hasOwn(row, name) ? 'cannot be used' : 'is missing'}`] : []
  })
  if (wrong.length > 0) throw new CannotRun(wrong.join(', '))
}

function shapeOf(file: string, row: Row): Shape {
  const shape = SHAPES[file] ?? SECRETS.find(([field]) => Object.hasOwn(row, field))?.[1]
  if (shape) return shape
  throw new CannotRun(`it has none of ${SECRETS.map(([field]) => `'${field}'`).join(', ')}`)
}

const ROW = z.looseObject({ id: text.min(1), class: text, expect: text, ok: z.array(text).optional() })

/** A row from a line of a file; throws `CannotRun` where the line holds none. */
export function rowIn(line: string): Row {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new CannotRun('it is no JSON')
  }
  const { success, error } = ROW.safeParse(value)
  if (success) return value as Row
  const [issue] = error.issues
  throw new CannotRun(issue?.path.length ? `'${issue.path.join('.')}' is missing or no text` : 'it is no row')
}
