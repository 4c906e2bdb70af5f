import { repairJson } from '../machine/validation/repair-json.ts'

/** What an answer must be. */
export interface AnswerCheck {
  /** The JSON Schema, as the model reads it. */
  readonly schema: object
  /** Checks a value; a call of `validate_output`. */
  readonly check: (value: unknown) => Promise<{ readonly valid: boolean; readonly errors: readonly string[] }>
  /** How often an answer is sent back. */
  readonly maxSendBacks: number
}

/** Returns the value of an answer, or why it has none: JSON cut out of prose, and repaired only where it has one meaning. */
export async function readAnswer(
  text: string,
  { check }: AnswerCheck,
): Promise<{ readonly value: unknown } | { readonly errors: readonly string[] }> {
  const found = repairJson(text)
  if (!found) return { errors: ['The answer holds no complete JSON, or JSON that can be read in more than one way'] }
  const { valid, errors } = await check(found.value)
  return valid ? { value: found.value } : { errors }
}

export const answerRule = ({ schema }: AnswerCheck): string =>
  `Your final answer must be JSON alone, and match this schema:\n${JSON.stringify(schema)}`

export const sendBack = (errors: readonly string[]): string =>
  `That answer does not match its schema:\n${errors.map(error => `- ${error}`).join('\n')}\nAnswer again, with JSON alone.`
