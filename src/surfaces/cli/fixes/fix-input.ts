import type * as z from 'zod'
import { fixChangeSchema, newFixSchema, type FixChange, type NewFix } from '../../../knowledge/memory/fix.ts'
import { typedLine } from '../ask.ts'
import { readAll } from '../read-all.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage.ts'
import { shareOf, type FixValues } from './fix-work.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns the fields that the options give. */
function typedFields(values: FixValues): Fields {
  const { tried = [], failed = [] } = values
  if (failed.length > tried.length) throw new UsageError('Each --failed belongs to a --tried before it', 'fixes')
  const fields = {
    errorDescription: values.error,
    rootCause: values.cause,
    solution: values.solution,
    language: values.language,
    errorType: values.type,
    confidence: values.confidence === undefined ? undefined : shareOf(values.confidence, '--confidence'),
    userValidated: values.validated,
    fixedIn: values['fixed-in'],
    commit: values.commit,
    transaction: values.transaction,
    attempts: tried.length === 0 ? undefined : tried.map((each, at) => ({ tried: each, failed: failed[at] ?? '' })),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const QUESTIONS = [
  ['errorDescription', 'Error', true],
  ['rootCause', 'Cause', true],
  ['solution', 'Solution', true],
  ['errorType', 'Exception class or error code', false],
  ['language', 'Language', false],
  ['fixedIn', 'File that was changed', false],
] as const

/** Returns the fix that a person records: by options, as JSON on standard input, or by answering questions. */
export async function fixFrom(values: FixValues, terminal: Terminal): Promise<NewFix> {
  const optionFields = typedFields(values)
  const isPerson = terminal.stdin.isTTY === true && terminal.stderr.isTTY === true
  const isComplete = ['errorDescription', 'rootCause', 'solution'].every(name => name in optionFields)
  if (isPerson && !isComplete) return newFix(await askForRest(optionFields, terminal))
  if (isComplete || isPerson || Object.keys(optionFields).length > 0) return newFix(optionFields)
  return newFix(await jsonIn(terminal))
}

/** Adds no default: in a merge it would overwrite what is stored. */
function newFix(fields: Fields): NewFix {
  validateFields(newFixSchema, fields)
  return fields as NewFix
}

/** Asks for each field that no option gives. */
async function askForRest(typed: Fields, terminal: Terminal): Promise<Fields> {
  const answers: Record<string, unknown> = { ...typed }
  for (const [name, question, isNeeded] of QUESTIONS) {
    if (name in typed) continue
    const answer = (await typedLine(terminal, `${question}${isNeeded ? '' : ' (may be empty)'}: `)).trim()
    if (answer !== '') answers[name] = answer
    // Ctrl-C and the end of the input answer nothing.
    else if (isNeeded) throw new UsageError(`A fix needs its ${question.toLowerCase()}`, 'fixes')
  }
  return answers
}

/** Returns the change that options or JSON on standard input describe. */
export async function changeOf(values: FixValues, terminal: Terminal): Promise<FixChange> {
  const optionFields = typedFields(values)
  const changeFields =
    Object.keys(optionFields).length > 0 || terminal.stdin.isTTY ? optionFields : await jsonIn(terminal)
  if (Object.keys(changeFields).length === 0)
    throw new UsageError('Say what changes, e.g. --solution TEXT, or give JSON on standard input', 'fixes')
  return validateFields(fixChangeSchema, changeFields)
}

async function jsonIn(terminal: Terminal): Promise<Fields> {
  const text = await readAll(terminal.stdin)
  if (text.trim() === '')
    throw new UsageError('Give --error, --cause and --solution, or JSON on standard input', 'fixes')
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  throw new UsageError('Standard input is not one JSON object', 'fixes')
}

/** Validates fields; the message names the option of a wrong one. */
function validateFields<Form extends z.ZodType>(form: Form, fields: Fields): z.output<Form> {
  const { data, error } = form.safeParse(fields)
  if (error === undefined) return data as z.output<Form>
  const [issue] = error.issues
  const name = String(issue?.path[0] ?? '')
  const option = OPTION_OF[name]
  const isMissing = issue?.code === 'invalid_type' && fields[name] === undefined
  const what = name === '' ? '' : `${option === undefined ? `'${name}'` : `${option} ('${name}')`} `
  throw new UsageError(isMissing ? `A fix needs ${what.trim()}` : `${what}is not right: ${issue?.message}`, 'fixes')
}

const OPTION_OF: Readonly<Record<string, string>> = {
  errorDescription: '--error',
  rootCause: '--cause',
  solution: '--solution',
  language: '--language',
  errorType: '--type',
  confidence: '--confidence',
  fixedIn: '--fixed-in',
  commit: '--commit',
  transaction: '--transaction',
  attempts: '--tried',
}
