import type { Fix } from './fix.ts'

/** Returns a fix without secrets in any of its texts. */
export const redactFix = (fix: Fix, redact: (text: string) => string): Fix => ({
  ...fix,
  errorDescription: redact(fix.errorDescription),
  rootCause: redact(fix.rootCause),
  solution: redact(fix.solution),
  errorType: redact(fix.errorType),
  fixedIn: redact(fix.fixedIn),
  ...(fix.diff !== undefined && { diff: redact(fix.diff) }),
  ...(fix.attempts && {
    attempts: fix.attempts.map(({ tried, failed }) => ({ tried: redact(tried), failed: redact(failed) })),
  }),
})
