const INTERNAL = -32_603
const INVALID_PARAMS = -32_602

interface WireError {
  readonly code: number
  readonly message: string
}

/**
 * Rewords an error of the SDK. For an invalid request it reports an internal error whose message is the JSON of its
 * schema's issues.
 */
export function plainError<Error extends WireError>(error: Error): Error {
  const issues = issuesIn(error.message)
  if (issues === undefined || (error.code !== INTERNAL && error.code !== INVALID_PARAMS)) return error
  return { ...error, code: INVALID_PARAMS, message: `Invalid request: ${issues.map(issueText).join('; ')}` }
}

/** Returns the issues that a message is or ends with. */
function issuesIn(message: string): readonly Issue[] | undefined {
  const start = /(?<=^|: )\[/.exec(message)?.index
  if (start === undefined) return undefined
  try {
    const issues: unknown = JSON.parse(message.slice(start))
    return Array.isArray(issues) && issues.length > 0 && issues.every(isIssue) ? issues : undefined
  } catch {
    return undefined
  }
}

interface Issue {
  readonly path: readonly unknown[]
  readonly message: string
}

const isIssue = (value: unknown): value is Issue => {
  const { path, message } = Object(value)
  return Array.isArray(path) && typeof message === 'string'
}

const issueText = ({ path, message }: Issue): string =>
  `'${path.join('.')}' ${message
    .replace(/^Invalid input: expected (\S+), received (\S+)$/, 'must be $1 but is $2')
    // The SDK's word for it.
    .replace(/^must be record/, 'must be object')}`
