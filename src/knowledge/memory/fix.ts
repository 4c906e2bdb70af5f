import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { ToolError } from '../../kernel/error.ts'

/** The confidence of a fix that says none. */
export const USUAL_CONFIDENCE = 0.7

const attempt = z.strictObject({
  tried: z.string().min(1).max(4_000).describe('What was tried'),
  failed: z.string().max(4_000).default('').describe('Why it failed'),
})

/** Fields that a person or a tool gives. */
const authorFields = {
  errorDescription: z.string().min(1).max(20_000).describe('The error as it was seen: message, stack trace, symptom'),
  rootCause: z.string().min(1).max(20_000).describe('Why it happened'),
  solution: z.string().min(1).max(20_000).describe('What fixed it'),
  language: z.string().max(60).default('').describe('Programming language, in lower case; empty if it does not matter'),
  errorType: z.string().max(200).default('').describe('Exception class or error code, such as TypeError or TS2345'),
  confidence: z.number().min(0).max(1).default(USUAL_CONFIDENCE).describe('How sure the analysis is, 0 to 1'),
  userValidated: z.boolean().default(false).describe('A person has confirmed the fix'),
  fixedIn: z.string().max(4_000).default('').describe('Path of the file that was changed'),
  commit: z.string().max(200).optional().describe('Commit that fixed it'),
  transaction: z.string().max(200).optional().describe('Id of the transaction that fixed it'),
  diff: z.string().max(200_000).optional().describe('The change that fixed it, as a unified diff'),
  attempts: z.array(attempt).max(50).optional().describe('What was tried before and why it failed'),
}

/** A fix before it is stored: the store adds what is missing. */
export const newFixSchema = z.strictObject({
  ...authorFields,
  id: z
    .string()
    .max(200)
    .regex(/^\P{Cc}+$/u, 'has to be a text without control characters')
    .optional()
    .describe('Stable id; made by the store if missing'),
  createdAt: z.iso.datetime({ offset: true }).optional().describe('When it was recorded; now if missing'),
})

/** One past root-cause analysis, as it is stored, shown and exported: one JSON object a line. */
const fixSchema = newFixSchema.required({ id: true, createdAt: true })

/** What may be changed later. */
export const fixChangeSchema = z.strictObject(
  Object.fromEntries(Object.entries(authorFields).map(([name, field]) => [name, z.optional(bare(field))])) as {
    [Name in keyof typeof authorFields]: z.ZodOptional<Bare<(typeof authorFields)[Name]>>
  },
)

export type Fix = z.output<typeof fixSchema>
export type NewFix = z.input<typeof newFixSchema>
export type FixChange = z.output<typeof fixChangeSchema>

/** Completes and validates a new fix. */
export function completeFix(fix: NewFix, now: Date = new Date()): Fix {
  const { id = `fix-${randomUUID()}`, createdAt = now.toISOString(), ...rest } = parseFix(newFixSchema, fix)
  return checkFix({ ...rest, id, createdAt })
}

/** Validates a fix that was exported, or one that was changed. */
export function checkFix(fix: unknown): Fix {
  const read = parseFix(fixSchema, fix)
  return { ...read, language: read.language.toLowerCase() }
}

/** A change, or one that follows from what is stored when it is made. */
export type ChangeOf = FixChange | ((stored: Fix) => FixChange)

/** Returns a fix with a change to it, both validated. */
export function changedFix(fix: Fix, change: ChangeOf): Fix {
  const changeFields = typeof change === 'function' ? change(fix) : change
  const definedChanges = Object.entries(parseFix(fixChangeSchema, changeFields)).filter(
    ([, value]) => value !== undefined,
  )
  return checkFix({ ...fix, ...Object.fromEntries(definedChanges) })
}

function parseFix<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new ToolError('invalid_input', `This is no fix: ${z.prettifyError(read.error)}`, {
    hint: 'Give errorDescription, rootCause and solution as texts',
  })
}

/**
 * A person's verdict: a refuted fix keeps its text but no search with a minimum confidence finds it, until a person
 * validates it after all.
 */
export function verdictChange(verdict: 'validated' | 'refuted', { confidence }: Pick<Fix, 'confidence'>): FixChange {
  if (verdict === 'refuted') return { userValidated: false, confidence: 0 }
  return { userValidated: true, ...(confidence === 0 && { confidence: USUAL_CONFIDENCE }) }
}

type Bare<Field> =
  Field extends z.ZodDefault<infer Inner> ? Inner : Field extends z.ZodOptional<infer Inner> ? Inner : Field

/** A field without its default, which would overwrite what is stored. */
function bare(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field
}
